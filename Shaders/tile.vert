// A corner of a tile on the ground. Corners that tiles share have the same numbers, so their edges meet exactly.

layout(location = 0) in vec2 groundPoints;  // pt east and south of the view's center
layout(location = 1) in vec3 tilePoint;     // xy: in the texture or, if MIPMAPPED, in texels from the tile's upper left; z: layer

out vec3 shownPoint;

void main() {
    shownPoint = tilePoint;
    gl_Position = clipFromGround(vec3(groundPoints, 0.0));
}
