// Light on the surface of a mesh, which multiplies its color: ambient + sum of max(n · l, 0), Lambert's law.
// LIGHTS is the number of directional lights besides the ambient one; if it is undefined, nothing is lit.

#ifdef LIGHTS
uniform vec3 ambient;
#if LIGHTS > 0
uniform vec4 lights[2 * LIGHTS];  // in pairs: the direction to the light (east, north, up), of length 1; its color
#endif

// normal: (east, north, up) of any length, on the front of the surface; it is flipped where the back is visible.
vec3 lightOn(vec3 normal, bool isFront) {
    vec3 sum = ambient;
#if LIGHTS > 0
    float scale = inversesqrt(max(dot(normal, normal), 1e-30));
    scale = isFront ? scale : -scale;
    for (int index = 0; index < LIGHTS; index++) {
        sum += max(dot(normal, lights[2 * index].xyz) * scale, 0.0) * lights[2 * index + 1].rgb;
    }
#endif
    return sum;
}
#endif
