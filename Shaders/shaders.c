#include "CWaymarkShaders.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char project[] = {
#embed "lib/project.glsl"
};

static const char light[] = {
#embed "lib/light.glsl"
};

static const char footprint[] = {
#embed "lib/footprint.glsl"
};

static const char sky[] = {
#embed "lib/sky.glsl"
};

static const char sprite_vertex[] = {
#embed "sprite.vert"
};

static const char sprite_fragment[] = {
#embed "sprite.frag"
};

static const char mesh_vertex[] = {
#embed "mesh.vert"
};

static const char mesh_fragment[] = {
#embed "mesh.frag"
};

static const char tile_vertex[] = {
#embed "tile.vert"
};

static const char tile_fragment[] = {
#embed "tile.frag"
};

static const char sky_vertex[] = {
#embed "sky.vert"
};

static const char sky_fragment[] = {
#embed "sky.frag"
};

#define WM_GIVE(source) \
    *count = sizeof source; \
    return source

const char *wm_shader_source(enum wm_shader shader, ptrdiff_t *count) {
    switch (shader) {
    case WM_SHADER_PROJECT: WM_GIVE(project);
    case WM_SHADER_LIGHT: WM_GIVE(light);
    case WM_SHADER_FOOTPRINT: WM_GIVE(footprint);
    case WM_SHADER_SKY: WM_GIVE(sky);
    case WM_SHADER_SPRITE_VERTEX: WM_GIVE(sprite_vertex);
    case WM_SHADER_SPRITE_FRAGMENT: WM_GIVE(sprite_fragment);
    case WM_SHADER_MESH_VERTEX: WM_GIVE(mesh_vertex);
    case WM_SHADER_MESH_FRAGMENT: WM_GIVE(mesh_fragment);
    case WM_SHADER_TILE_VERTEX: WM_GIVE(tile_vertex);
    case WM_SHADER_TILE_FRAGMENT: WM_GIVE(tile_fragment);
    case WM_SHADER_SKY_VERTEX: WM_GIVE(sky_vertex);
    case WM_SHADER_SKY_FRAGMENT: WM_GIVE(sky_fragment);
    }
    *count = 0;
    return NULL;
}
