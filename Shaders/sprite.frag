// The color of a sprite, premultiplied. NEAREST: one texel per pixel. Otherwise bilinear within the image, with coverage at its edges.
// SHARED: edges that images share are not antialiased.
// SWAPPED: red and blue are exchanged, as in the target's memory.

uniform highp sampler2DArray pages;

out vec4 color;

#ifdef SWAPPED
vec4 stored(vec4 shown) { return shown.bgra; }
#else
vec4 stored(vec4 shown) { return shown; }
#endif

#ifdef TINTED
in vec3 addedColor;

// min(1, image + added) for a straight color is min(a, image + a added) for the premultiplied one.
vec4 tinted(vec4 texel) {
    return vec4(min(texel.rgb + texel.a * addedColor, texel.a), texel.a);
}
#else
vec4 tinted(vec4 texel) { return texel; }
#endif

#ifdef NEAREST
in vec4 pageTexel;

void main() {
    color = stored(tinted(texture(pages, pageTexel.xyz)) * pageTexel.w);
}
#else
uniform vec2 pageSize;  // in texels; powers of two, so that dividing is exact

in vec4 imageTexel;
in vec4 imageRect;

#ifdef SHARED
flat in vec4 edgeRules;  // left, top, right, bottom: SharedEdges.Rule
flat in vec2 texelsPerPoint;  // along the image, and down

// How much of a pixel lies inside an edge from which its center is some texels away; a pixel is `pixel` texels wide. With a shared edge it is
// all or nothing. Centers on the edge are the earlier image's, so both limits are beside it, off the grid of 1/1024 px on which images lie. The
// limits of the two overlap by what interpolation may be off, and by what their edges are apart.
float within(float texels, float pixel, float size, float rule, float texelsPerPoint) {
    if (rule == 0.0) return texels / pixel + 0.5;
    float slack = size * (1.0 / 1048576.0);
    if (rule == 2.0) return texels >= pixel * (9.0 / 1024.0) - slack ? 2.0 : 0.0;
    float apart = rule == 1.0 ? 1.0 / 65536.0 : rule == 3.0 ? 0.002 : 0.0625;
    return texels >= -pixel * (9.0 / 1024.0) - slack - apart * texelsPerPoint ? 2.0 : 0.0;
}

// How much of a pixel lies inside the image's edges along one axis; `rules` are those of the two edges.
float coverage(float texel, float size, vec2 texelsPerPixel, vec2 rules, float texelsPerPoint) {
    float pixel = max(length(texelsPerPixel), 1e-6);
    float inside = min(within(texel, pixel, size, rules.x, texelsPerPoint), within(size - texel, pixel, size, rules.y, texelsPerPoint));
    return clamp(min(inside, max(size / pixel, max(rules.x, rules.y))), 0.0, 1.0);
}
#else
// How much of a pixel lies inside the image's edges along one axis.
float coverage(float texel, float size, vec2 texelsPerPixel) {
    float pixel = max(length(texelsPerPixel), 1e-6);
    float inside = min(texel, size - texel) / pixel + 0.5;
    return clamp(min(inside, size / pixel), 0.0, 1.0);
}
#endif

vec4 imageAt(vec2 texel) {
    // In steps of 1/256 texel, the precision of filtering: the position of an image in the page changes no bit of the picture.
    vec2 point = floor(clamp(texel, vec2(0.5), max(imageRect.zw - 0.5, 0.5)) * 256.0 + 0.5) / 256.0;
    return texture(pages, vec3((imageRect.xy + point) / pageSize, imageTexel.z));
}

void main() {
    vec2 texel = imageTexel.xy;
    vec2 right = dFdx(texel);
    vec2 down = dFdy(texel);
#ifdef SHARED
    float covered = coverage(texel.x, imageRect.z, vec2(right.x, down.x), edgeRules.xz, texelsPerPoint.x)
        * coverage(texel.y, imageRect.w, vec2(right.y, down.y), edgeRules.yw, texelsPerPoint.y);
#else
    float covered = coverage(texel.x, imageRect.z, vec2(right.x, down.x)) * coverage(texel.y, imageRect.w, vec2(right.y, down.y));
#endif
    vec4 image;
    if (max(dot(right, right), dot(down, down)) > 1.5) {
        // The pixel covers more than one texel: the mean of its four quarters, each sampled a little towards the middle, because
        // bilinear samples reach beyond their quarters.
        vec2 sum = 0.22 * (right + down);
        vec2 difference = 0.22 * (right - down);
        image = 0.25 * (imageAt(texel - sum) + imageAt(texel + sum) + imageAt(texel - difference) + imageAt(texel + difference));
    } else {
        image = imageAt(texel);
    }
    color = stored(tinted(image) * (imageTexel.w * covered));
}
#endif
