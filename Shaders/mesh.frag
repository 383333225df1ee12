// The color of a mesh, premultiplied: min(1, texture × vertex color × diffuse × light) of straight, sRGB-encoded colors.
// ANISOTROPIC: the texture is also filtered evenly on surfaces seen at a slant. COLORED: vertices have colors. CUT: nothing is drawn where
// alpha is below the cutoff, and the rest is opaque. ONE_COLOR: all instances of the draw have the same color. SWAPPED: red and blue are
// exchanged, as in the target's memory. EDGES: the mesh fades into the sky. FACE_LIT: the light is the same for
// all pixels of a triangle, and comes from its vertices.

#ifdef TEXTURED
uniform highp sampler2DArray image;  // premultiplied

in vec2 textureUV;

#ifdef ANISOTROPIC
// Up to 8 samples along the longer axis of the pixel's footprint, from the mipmap that suits the shorter one.
vec4 texel() {
    vec2 size = vec2(textureSize(image, 0).xy);
    Footprint pixel = footprint(dFdx(textureUV) * size, dFdy(textureUV) * size);
    float texels = max(pixel.shortest, pixel.longest / 8.0);
    float level = log2(max(texels, 1e-20));
    // Slightly less than the whole, so that rounding does not take two samples where one is enough.
    float count = clamp(ceil(pixel.longest / max(texels, 1.0) - 0.02), 1.0, 8.0);
    vec2 gap = pixel.axis / (size * count);
    vec2 uv = textureUV - 0.5 * (count - 1.0) * gap;
    vec4 sum = vec4(0.0);
    float left = count;
    // The software rasterizer runs the body of any other loop once more than necessary.
    do {
        sum += textureLod(image, vec3(uv, 0.0), level);
        uv += gap;
        left -= 1.0;
    } while (left > 0.5);
    return sum / count;
}
#else
vec4 texel() { return texture(image, vec3(textureUV, 0.0)); }
#endif
#else
vec4 texel() { return vec4(1.0); }
#endif

#ifdef COLORED
in vec4 surfaceColor;  // straight
#endif
#ifdef CUT
uniform float alphaCutoff;
#endif

// The color of the surface, premultiplied, before diffuse color and light.
vec4 surface() {
    vec4 base = texel();
#ifdef COLORED
    base *= vec4(surfaceColor.rgb * surfaceColor.a, surfaceColor.a);
#endif
#ifdef CUT
    if (base.a < alphaCutoff) discard;
    base = vec4(base.rgb / max(base.a, 1e-6), 1.0);
#endif
    return base;
}

#ifdef DEPTH_ONLY
void main() {
#if defined(TEXTURED) || defined(COLORED) || defined(CUT)
    // Fully transparent pixels hide nothing.
    if (surface().a == 0.0) discard;
#endif
}
#else
#ifdef ONE_COLOR
uniform vec4 instanceColor;
#else
flat in vec4 instanceColor;
#endif
#ifdef LIGHTS
#ifdef FACE_LIT
flat in vec3 faceLight;
#else
in vec3 worldNormal;
#endif
#endif
#ifdef EDGES
in vec3 footPoint;
#endif

out vec4 color;

void main() {
    vec4 base = surface();
    vec3 light = instanceColor.rgb;
#ifdef LIGHTS
#ifdef FACE_LIT
    light *= faceLight;
#else
    light *= lightOn(worldNormal, gl_FrontFacing);
#endif
#endif
#ifdef SOLID
    // The target clamps values above 1.
    vec4 shown = vec4(base.rgb * light, 1.0);
#else
    // min(1, c × light) for a straight color is min(a, a c × light) for the premultiplied one.
    vec4 shown = vec4(min(base.rgb * light, base.a), base.a) * instanceColor.a;
#endif
#ifdef SWAPPED
    color = shown.bgra;
#else
    color = shown;
#endif
#ifdef EDGES
    color = faded(color, footPoint.xy / footPoint.z);
#endif
}
#endif
