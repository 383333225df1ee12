// The color of a mesh, premultiplied: min(1, texture × vertex color × diffuse × light) of straight, sRGB-encoded colors.
// COLORED: vertices have colors. CUT: nothing is drawn where alpha is below the cutoff, and the rest is opaque. ONE_COLOR: all instances of the draw have it. SWAPPED: red and blue are exchanged, as in the target's memory.

#ifdef TEXTURED
uniform highp sampler2DArray image;  // premultiplied

in vec2 textureUV;

vec4 texel() { return texture(image, vec3(textureUV, 0.0)); }
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
    // What is fully transparent hides nothing.
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
in vec3 worldNormal;
#endif

out vec4 color;

void main() {
    vec4 base = surface();
    vec3 light = instanceColor.rgb;
#ifdef LIGHTS
    light *= lightOn(worldNormal);
#endif
#ifdef SOLID
    // The target clamps what exceeds 1.
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
}
#endif
