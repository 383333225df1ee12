#pragma once
#include <stddef.h>

/// The embedded shader sources: `lib` files precede the source of a stage.
enum wm_shader {
    WM_SHADER_PROJECT,
    WM_SHADER_LIGHT,
    WM_SHADER_FOOTPRINT,
    WM_SHADER_SKY,
    WM_SHADER_SPRITE_VERTEX,
    WM_SHADER_SPRITE_FRAGMENT,
    WM_SHADER_MESH_VERTEX,
    WM_SHADER_MESH_FRAGMENT,
    WM_SHADER_TILE_VERTEX,
    WM_SHADER_TILE_FRAGMENT,
    WM_SHADER_SKY_VERTEX,
    WM_SHADER_SKY_FRAGMENT,
};

/// The bytes of a source and their count; NULL for an unknown source. In C because only C has `#embed`.
const char *wm_shader_source(enum wm_shader shader, ptrdiff_t *count);
