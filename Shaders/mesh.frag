// The colour of a mesh, premultiplied: min(1, texture × diffuse × light) of straight colours, all on sRGB-coded values.
// One colour: all instances of the draw have it. Swapped: red and blue change places, as in the target's memory.

#ifdef TEXTURED
uniform highp sampler2DArray image;  // premultiplied

in vec2 texturePlace;

vec4 texel() { return texture(image, vec3(texturePlace, 0.0)); }
#else
vec4 texel() { return vec4(1.0); }
#endif

#ifdef DEPTH_ONLY
void main() {
#ifdef TEXTURED
    // What is not there hides nothing.
    if (texel().a == 0.0) discard;
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
    vec4 base = texel();
    vec3 light = instanceColor.rgb;
#ifdef LIGHTS
    light *= lightOn(worldNormal);
#endif
#ifdef SOLID
    // What is more than 1 the target cuts off.
    vec4 shown = vec4(base.rgb * light, 1.0);
#else
    // Of the straight colour min(1, c × light): of the premultiplied one min(a, a c × light).
    vec4 shown = vec4(min(base.rgb * light, base.a), base.a) * instanceColor.a;
#endif
#ifdef SWAPPED
    color = shown.bgra;
#else
    color = shown;
#endif
}
#endif
