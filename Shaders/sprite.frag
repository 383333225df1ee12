// The color of a sprite, premultiplied. NEAREST: one texel per pixel. Otherwise bilinear within the image, with coverage at its edges.
// SHARED: edges that images share are not antialiased.
// GROUND: some sprites of the draw lie on the ground, and are filtered evenly where the ground is seen at a slant.
// EDGES: sprites on the ground fade into the sky.
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

// The part of a pixel that lies inside an edge, given the distance in texels of its center from the edge; a pixel is `pixel` texels wide.
// At a shared edge it is all or nothing. Centers on the edge belong to the earlier image, so both limits are slightly off the edge, between
// the positions of the grid of 1/1024 px on which images lie. The limits of the two images overlap by the error of interpolation and by the
// distance between their edges.
float within(float texels, float pixel, float size, float rule, float texelsPerPoint) {
    if (rule == 0.0) return texels / pixel + 0.5;
    float slack = size * (1.0 / 1048576.0);
    if (rule == 2.0) return texels >= pixel * (9.0 / 1024.0) - slack ? 2.0 : 0.0;
    float apart = rule == 1.0 ? 1.0 / 65536.0 : rule == 3.0 ? 0.002 : 0.0625;
    return texels >= -pixel * (9.0 / 1024.0) - slack - apart * texelsPerPoint ? 2.0 : 0.0;
}

// The part of a pixel that lies inside the image's edges along one axis; `rules` belong to the two edges.
float coverage(float texel, float size, vec2 texelsPerPixel, vec2 rules, float texelsPerPoint) {
    float pixel = max(length(texelsPerPixel), 1e-6);
    float inside = min(within(texel, pixel, size, rules.x, texelsPerPoint), within(size - texel, pixel, size, rules.y, texelsPerPoint));
    return clamp(min(inside, max(size / pixel, max(rules.x, rules.y))), 0.0, 1.0);
}
#else
// The part of a pixel that lies inside the image's edges along one axis.
float coverage(float texel, float size, vec2 texelsPerPixel) {
    float pixel = max(length(texelsPerPixel), 1e-6);
    float inside = min(texel, size - texel) / pixel + 0.5;
    return clamp(min(inside, size / pixel), 0.0, 1.0);
}
#endif

// A bilinear sample of the image, or of a copy of it, whose upper left corner in the page and last texel are given.
vec4 sampled(vec2 texel, vec2 corner, vec2 last, float layer) {
    // In steps of 1/256 texel, the precision of filtering: the position of an image in the page changes no bit of the picture.
    vec2 point = floor(clamp(texel, vec2(0.5), last) * 256.0 + 0.5) / 256.0;
    return textureLod(pages, vec3((corner + point) / pageSize, layer), 0.0);
}

#ifdef GROUND
flat in vec4 imageFilter;
#ifdef EDGES
flat in float fades;  // whether the sprite fades
#endif

// The position of a reduced copy of the image, as placed by ReducedCopies. 0 is the image itself.
vec4 copyRect(int number) {
    if (number == 0) return imageRect;
    // Interpolated, so at times slightly less than a whole number.
    ivec2 size = ivec2(imageRect.zw + 0.5);
    int side = max(size.x, size.y);
    float start = float(side - (side >> (number - 1)));
    vec2 beside = (1.0 - imageFilter.w) * imageRect.zw;
    vec2 position = size.y >= size.x ? vec2(beside.x, start) : vec2(start, beside.y);
    return vec4(imageRect.xy + position, vec2(max(size >> number, ivec2(1))));
}

// For a sprite on the ground: up to 8 samples along the longer axis of the pixel's footprint, from the reduced copy that suits the shorter
// one, or from two copies if it lies between their sizes. On the screen: as without GROUND.
vec4 imageAt(vec2 texel, vec2 right, vec2 down) {
    bool isOnGround = imageFilter.x != 0.0;
    Footprint pixel = footprint(right, down);
    float level = min(log2(max(max(pixel.shortest * imageFilter.y, pixel.longest * 0.1), 1.0)), imageFilter.z);
    float number = floor(level);
    float share = clamp(3.0 * (level - number) - 1.0, 0.0, 1.0);
    if (share == 1.0) {
        number += 1.0;
        share = 0.0;
    }
    int copy = int(number);
    bool isBetween = share > 0.0;
    vec4 rect = copyRect(copy);
    vec4 otherRect = isBetween ? copyRect(copy + 1) : rect;

    // Samples are taken in pairs, which halves their cost on the software rasterizer: between two copies one from each, otherwise two
    // adjacent ones. Slightly less than the whole, so that rounding does not take one sample more.
    float count = clamp(ceil(0.8 * pixel.longest / (float(1 << copy) * (1.0 + share)) - 0.02), 1.0, 8.0);
    float pairs = isBetween ? count : ceil(0.5 * count);
    if (!isBetween && count > 1.5) count = 2.0 * pairs;
    // Two samples are slightly toward the middle, because they extend beyond their halves of the pixel.
    vec2 gap = (count > 2.5 ? 1.0 : count > 1.5 ? 0.9 : 0.0) / count * pixel.axis;
    vec2 place = texel - 0.5 * (count - 1.0) * gap;
    vec2 otherPlace = isBetween ? place : place + gap;
    vec2 way = isBetween ? gap : 2.0 * gap;
    vec2 otherWay = way;
    if (!isOnGround) {
        bool isReduced = max(dot(right, right), dot(down, down)) > 1.5;
        vec2 sum = isReduced ? 0.22 * (right + down) : vec2(0.0);
        pairs = isReduced ? 2.0 : 1.0;
        place = texel - sum;
        otherPlace = texel + sum;
        way = 0.44 * down;
        otherWay = -way;
    }

    vec2 scale = rect.zw / imageRect.zw;
    vec2 otherScale = otherRect.zw / imageRect.zw;
    place *= scale;
    way *= scale;
    otherPlace *= otherScale;
    otherWay *= otherScale;
    vec2 last = max(rect.zw - 0.5, 0.5);
    vec2 otherLast = max(otherRect.zw - 0.5, 0.5);
    float layer = imageTexel.z + (copy > 0 ? imageFilter.w : 0.0);
    float otherLayer = isBetween ? imageTexel.z + imageFilter.w : layer;
    float weight = (isBetween ? 1.0 - share : 0.5) / pairs;
    float otherWeight = (isBetween ? share : 0.5) / pairs;
    vec4 sum = vec4(0.0);
    // The software rasterizer runs the body of any other loop once more than necessary.
    do {
        sum += weight * sampled(place, rect.xy, last, layer) + otherWeight * sampled(otherPlace, otherRect.xy, otherLast, otherLayer);
        place += way;
        otherPlace += otherWay;
        pairs -= 1.0;
    } while (pairs > 0.5);
    return sum;
}
#else
vec4 imageAt(vec2 texel) { return sampled(texel, imageRect.xy, max(imageRect.zw - 0.5, 0.5), imageTexel.z); }

vec4 imageAt(vec2 texel, vec2 right, vec2 down) {
    if (max(dot(right, right), dot(down, down)) <= 1.5) return imageAt(texel);
    // The pixel covers more than one texel: the mean of its four quarters, each sampled slightly toward the middle, because bilinear
    // samples extend beyond their quarters.
    vec2 sum = 0.22 * (right + down);
    vec2 difference = 0.22 * (right - down);
    return 0.25 * (imageAt(texel - sum) + imageAt(texel + sum) + imageAt(texel - difference) + imageAt(texel + difference));
}
#endif

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
    color = stored(tinted(imageAt(texel, right, down)) * (imageTexel.w * covered));
#ifdef EDGES
    if (fades != 0.0) color = faded(color);
#endif
}
#endif
