// The color of a tile on the ground, premultiplied. Without MIPMAPPED: one bilinear sample. SWAPPED: red and blue are exchanged, as in the
// target's memory.

uniform highp sampler2DArray tiles;  // premultiplied
uniform float alpha;

in vec3 shownPoint;

out vec4 color;

#ifdef MIPMAPPED
uniform vec3 sheet;  // x: the tile's side in texels; y: the last of its copies, each of half the size; z: the margin of each
uniform vec2 texel;  // the size of a texel in the texture

// Up to 8 samples along the longer side of the pixel's footprint, from the copy that suits its width. The footprint is the parallelogram
// between the pixel and its neighbors: the ground leans away from the screen as a whole, so its longer side is close to its longer axis.
// The copies are in one texture without mipmaps, and their margins contain the adjacent parts of the neighboring tiles.
vec4 shown() {
    vec2 right = dFdx(shownPoint.xy);
    vec2 down = dFdy(shownPoint.xy);
    float across = dot(right, right);
    float along = dot(down, down);
    float square = max(max(across, along), 1e-20);
    vec2 side = along < across ? right : down;
    float area = right.x * down.y - right.y * down.x;
    // The copy whose texels are nearest in size to one sample, from the exponent of twice the square of that size: half of it, rounded
    // down.
    float covered = max(area * area / square, square / 64.0);
    int level = clamp(((floatBitsToInt(2.0 * covered) >> 23) - 127) >> 1, 0, int(sheet.y));
    float scale = intBitsToFloat((127 - level) << 23);
    float longest = sqrt(square) * scale;
    // Slightly less than the whole, so that rounding does not take one sample more.
    float count = clamp(ceil(0.8 * longest - 0.02), 1.0, 8.0);
    // No sample beyond the margin: only in the last copy can a footprint be that long.
    vec2 gap = side * (scale / max(count, 0.7 * longest)) * texel;
    float before = float(level);
    vec2 origin = level == 0 ? vec2(sheet.z) : vec2(sheet.x * (1.0 - 2.0 * scale) + (2.0 * before - 1.0) * sheet.z, sheet.x + 3.0 * sheet.z);
    vec2 uv = (origin + shownPoint.xy * scale) * texel - 0.5 * (count - 1.0) * gap;
    vec4 sum = vec4(0.0);
    float left = count;
    // The software rasterizer runs the body of any other loop once more than necessary.
    do {
        sum += textureLod(tiles, vec3(uv, shownPoint.z), 0.0);
        uv += gap;
        left -= 1.0;
    } while (left > 0.5);
    return sum / count;
}
#else
vec4 shown() { return texture(tiles, shownPoint); }
#endif

void main() {
    vec4 result = shown() * alpha;
#ifdef SWAPPED
    color = result.bgra;
#else
    color = result;
#endif
}
