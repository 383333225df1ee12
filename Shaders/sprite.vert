// A sprite: one quad of four vertices; the last two bits of the vertex number select the corner. The attributes are read once per instance
// or, expanded, once per vertex: the arithmetic is the same. Names and order match SpriteInstance.
// NEAREST: one texel per pixel. TINTED: a color is added. GROUND: some sprites of the draw lie on the ground. EDGES: those fade into the
// sky. SHARED: some share edges.

layout(location = 0) in vec3 corner;     // the image's upper left: device pixels, or pt on the ground
layout(location = 1) in vec4 edges;      // from there to the upper right (xy) and to the lower left (zw)
layout(location = 2) in vec4 texelRect;  // in the page: x, y, width, height
// x: layer of the page; y: SpriteInstance.Plane, 0 on the screen. With SHARED, its upper bits hold the rules of the edges.
layout(location = 3) in vec2 layerAndPlane;
layout(location = 4) in float alpha;
#ifdef TINTED
layout(location = 5) in vec4 tint;       // added to the color; w unused

out vec3 addedColor;
#endif

#ifdef NEAREST
uniform vec2 pageSize;  // in texels; powers of two, so that dividing is exact

out vec4 pageTexel;  // xy: point of the page, 0…1; z: layer; w: alpha
#else
out vec4 imageTexel;    // xy: texel of the image; z: layer; w: alpha
out vec4 imageRect;     // as texelRect
#ifdef SHARED
flat out vec4 edgeRules;  // left, top, right, bottom: SharedEdges.Rule
flat out vec2 texelsPerPoint;  // along the image, and down
#endif
#ifdef GROUND
uniform vec2 groundPixel;  // x: pt of ground per device pixel at the center, along the view; y: 1 / camera distance

// x: 1 on the ground; y: the texels of a reduced copy per texel of a footprint; z: the last reduced copy; w: the layers from the image to
// its reduced copies.
flat out vec4 imageFilter;
#ifdef EDGES
flat out float fades;  // whether the sprite fades: not above the ground
#endif
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
    // A margin of more than half a device pixel on all sides, so that pixels partly covered by the quad are also drawn.
    float margin = 1.0;
#ifdef SHARED
    edgeRules = vec4(mod(floor(layerAndPlane.y / vec3(128.0, 1024.0, 8192.0)), 8.0), floor(layerAndPlane.x / 4096.0));
    texelsPerPoint = texelRect.zw / max(vec2(length(edges.xy), length(edges.zw)), vec2(1e-6));
    vec2 place = mod(layerAndPlane, vec2(4096.0, 128.0));
#else
    vec2 place = layerAndPlane;
#endif
#ifdef GROUND
    int plane = int(place.y);
    bool isOnGround = (plane & 1) != 0;
    imageFilter = vec4(float(plane & 1), (plane & 2) != 0 ? 0.56 : 0.75, float(plane >> 3), float(plane >> 2 & 1));
#ifdef EDGES
    fades = isOnGround && corner.z == 0.0 ? 1.0 : 0.0;
#endif
    if (isOnGround) {
        float far = max(clipFromGround(vec3(corner.xy + unit.x * edges.xy + unit.y * edges.zw, corner.z)).w * groundPixel.y, 0.1);
        margin = groundPixel.x * far * max(far, 1.0);
    }
#endif
    vec2 size = max(vec2(length(edges.xy), length(edges.zw)), 1e-6);
    unit += (unit * 2.0 - 1.0) * margin / size;
    imageTexel = vec4(unit * texelRect.zw, place.x, alpha);
    imageRect = texelRect;
    vec2 position = corner.xy + unit.x * edges.xy + unit.y * edges.zw;
#ifdef GROUND
    gl_Position = isOnGround ? clipFromGround(vec3(position, corner.z)) : clipFromScreen(position);
#else
    gl_Position = clipFromScreen(position);
#endif
#endif
}
