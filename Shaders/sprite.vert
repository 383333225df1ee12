// A sprite: one quad of four vertices; the last two bits of the vertex number select the corner. The attributes are read once per
// instance or, expanded, once per vertex: the arithmetic is the same. Names and order are those of SpriteInstance.

layout(location = 0) in vec3 corner;     // the image's upper left: device pixels, or pt on the ground
layout(location = 1) in vec4 edges;      // from there to the upper right (xy) and to the lower left (zw)
layout(location = 2) in vec4 texelRect;  // in the page: x, y, width, height
layout(location = 3) in vec2 layerAndPlane;  // x: layer of the page; y: 0 on the screen, 1 on the ground, with SHARED 2 × the edges' bits more
layout(location = 4) in float alpha;
#ifdef TINTED
layout(location = 5) in vec4 tint;       // added to the color; w unused

out vec3 addedColor;
#endif

#ifdef NEAREST
uniform vec2 pageSize;  // in texels; powers of two, so that dividing is exact

out vec4 pageTexel;  // xy: point of the page, 0…1; z: layer; w: alpha
#else
uniform vec2 groundPixel;  // x: pt of ground per device pixel at the center, along the view; y: 1 / camera distance

out vec4 imageTexel;    // xy: texel of the image; z: layer; w: alpha
out vec4 imageRect;     // as texelRect
#ifdef SHARED
flat out vec4 edgeRules;  // left, top, right, bottom: SharedEdges.Rule
flat out vec2 texelsPerPoint;  // along the image, and down
#endif
#endif

void main() {
    vec2 unit = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
#ifdef TINTED
    addedColor = tint.rgb;
#endif
#ifdef NEAREST
    pageTexel = vec4((texelRect.xy + unit * texelRect.zw) / pageSize, layerAndPlane.x, alpha);
    gl_Position = clipFromScreen(corner.xy + unit.x * edges.xy + unit.y * edges.zw);
#else
    // A margin of more than half a device pixel on all sides, so that pixels which the quad covers partly are drawn, too.
    float margin = 1.0;
#ifdef SHARED
    float plane = mod(layerAndPlane.y, 2.0);
    edgeRules = mod(floor(layerAndPlane.y / vec4(2.0, 16.0, 128.0, 1024.0)), 8.0);
    texelsPerPoint = texelRect.zw / max(vec2(length(edges.xy), length(edges.zw)), vec2(1e-6));
#else
    float plane = layerAndPlane.y;
#endif
    if (plane != 0.0) {
        float far = max(clipFromGround(vec3(corner.xy + unit.x * edges.xy + unit.y * edges.zw, corner.z)).w * groundPixel.y, 0.1);
        margin = groundPixel.x * far * max(far, 1.0);
    }
    vec2 size = max(vec2(length(edges.xy), length(edges.zw)), 1e-6);
    unit += (unit * 2.0 - 1.0) * margin / size;
    imageTexel = vec4(unit * texelRect.zw, layerAndPlane.x, alpha);
    imageRect = texelRect;
    vec2 position = corner.xy + unit.x * edges.xy + unit.y * edges.zw;
    gl_Position = plane != 0.0 ? clipFromGround(vec3(position, corner.z)) : clipFromScreen(position);
#endif
}
