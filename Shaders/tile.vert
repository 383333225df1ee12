// A corner of a tile on the ground. Corners that tiles share have the same numbers, so their edges meet exactly.

layout(location = 0) in vec2 groundPoints;  // pt east and south of the view's center
layout(location = 1) in vec3 tileUV;        // xy: (0, 0) upper left of the tile, (1, 1) lower right; z: layer

out vec3 tilePoint;

void main() {
    tilePoint = tileUV;
    gl_Position = clipFromGround(vec3(groundPoints, 0.0));
}
