// A sprite's texel, premultiplied. Nearest: texel for pixel. Linear: bilinear within the image, and coverage at its edges.

uniform highp sampler2DArray pages;

out vec4 color;

#ifdef TINTED
in vec3 addedColor;

// Of the straight colour min(1, image + added): of the premultiplied one min(a, image + a added).
vec4 tinted(vec4 texel) {
    return vec4(min(texel.rgb + texel.a * addedColor, texel.a), texel.a);
}
#else
vec4 tinted(vec4 texel) { return texel; }
#endif

#ifdef NEAREST
in vec4 pageTexel;

void main() {
    color = tinted(texelFetch(pages, ivec3(pageTexel.xyz), 0)) * pageTexel.w;
}
#else
uniform vec2 pageSize;  // in texels; powers of two, so that dividing is exact

in vec4 imageTexel;
in vec4 imageRect;

// How much of a pixel lies inside the image's edges along one axis.
float coverage(float texel, float size) {
    float texelsPerPixel = max(length(vec2(dFdx(texel), dFdy(texel))), 1e-6);
    float inside = min(texel, size - texel) / texelsPerPixel + 0.5;
    return clamp(min(inside, size / texelsPerPixel), 0.0, 1.0);
}

void main() {
    vec2 size = imageRect.zw;
    float covered = coverage(imageTexel.x, size.x) * coverage(imageTexel.y, size.y);
    // In steps of 1/256 texel, as fine as filters weigh: where in the page an image lies changes no bit of the picture.
    vec2 texel = floor(clamp(imageTexel.xy, vec2(0.5), max(size - 0.5, 0.5)) * 256.0 + 0.5) / 256.0;
    color = tinted(texture(pages, vec3((imageRect.xy + texel) / pageSize, imageTexel.z))) * (imageTexel.w * covered);
}
#endif
