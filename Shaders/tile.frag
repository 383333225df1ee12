// The color of a tile on the ground, premultiplied. Without MIPMAPPED: one bilinear sample. SWAPPED: red and blue are exchanged, as in the
// target's memory.

uniform highp sampler2DArray tiles;  // premultiplied
uniform float alpha;

in vec3 tilePoint;

out vec4 color;

#ifdef MIPMAPPED
uniform vec2 side;  // of a tile: x: in texels; y: the last mipmap

// Up to 8 samples along the longer axis of the pixel's footprint, from the mipmap that suits the shorter one.
vec4 texel() {
    Footprint pixel = footprint(dFdx(tilePoint.xy) * side.x, dFdy(tilePoint.xy) * side.x);
    // The mipmap whose texels are nearest to what one sample covers.
    float level = clamp(floor(log2(max(max(pixel.shortest, pixel.longest * 0.125), 1e-20)) + 0.5), 0.0, side.y);
    // A little less than the whole, so that rounding does not take one sample more.
    float count = clamp(ceil(0.8 * pixel.longest * exp2(-level) - 0.02), 1.0, 8.0);
    vec2 gap = pixel.axis / (side.x * count);
    vec2 uv = tilePoint.xy - 0.5 * (count - 1.0) * gap;
    vec4 sum = vec4(0.0);
    float left = count;
    // The software rasterizer runs the body of any other loop once more than needed.
    do {
        sum += textureLod(tiles, vec3(uv, tilePoint.z), level);
        uv += gap;
        left -= 1.0;
    } while (left > 0.5);
    return sum / count;
}
#else
vec4 texel() { return texture(tiles, tilePoint); }
#endif

void main() {
    vec4 shown = texel() * alpha;
#ifdef SWAPPED
    color = shown.bgra;
#else
    color = shown;
#endif
}
