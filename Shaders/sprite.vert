// A sprite: one quad, four vertices, the corner being the vertex number's last two bits. The instance's attributes come
// once for each instance or, expanded, once for each vertex: the arithmetic is the same.

layout(location = 0) in vec3 corner;     // the image's upper left: device pixels, or pt on the ground
layout(location = 1) in vec4 edges;      // from there to the upper right (xy) and to the lower left (zw)
layout(location = 2) in vec4 texelRect;  // in the page: x, y, width, height
layout(location = 3) in vec2 place;      // x: layer of the page; y: 0 on the screen, 1 on the ground
layout(location = 4) in float alpha;
#ifdef TINTED
layout(location = 5) in vec4 tint;       // added to the colour; w unused

out vec3 addedColor;
#endif

#ifdef NEAREST
uniform vec2 pageSize;  // in texels; powers of two, so that dividing is exact

out vec4 pageTexel;  // xy: place in the page, 0…1; z: layer; w: alpha
#else
uniform vec2 groundPixel;  // x: pt of the ground under one device pixel at the centre, along the view; y: 1 / camera distance

out vec4 imageTexel;    // xy: texel of the image; z: layer; w: alpha
out vec4 imageRect;     // as texelRect
#endif

void main() {
    vec2 unit = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
#ifdef TINTED
    addedColor = tint.rgb;
#endif
#ifdef NEAREST
    pageTexel = vec4((texelRect.xy + unit * texelRect.zw) / pageSize, place.x, alpha);
    gl_Position = clipFromScreen(corner.xy + unit.x * edges.xy + unit.y * edges.zw);
#else
    // A rim of more than half a device pixel all round, so that pixels which the quad covers in part are drawn, too.
    float rim = 1.0;
    if (place.y != 0.0) {
        float far = max(clipFromGround(vec3(corner.xy + unit.x * edges.xy + unit.y * edges.zw, corner.z)).w * groundPixel.y, 0.1);
        rim = groundPixel.x * far * max(far, 1.0);
    }
    vec2 size = max(vec2(length(edges.xy), length(edges.zw)), 1e-6);
    unit += (unit * 2.0 - 1.0) * rim / size;
    imageTexel = vec4(unit * texelRect.zw, place.x, alpha);
    imageRect = texelRect;
    vec2 position = corner.xy + unit.x * edges.xy + unit.y * edges.zw;
    gl_Position = place.y != 0.0 ? clipFromGround(vec3(position, corner.z)) : clipFromScreen(position);
#endif
}
