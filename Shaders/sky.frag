// The color of the sky, premultiplied, to the extent that the ground has faded to it.

uniform vec4 sky;  // premultiplied, in the order of the target's memory
// farthest depth / depth of the ground, x + y · row: at most 1 beyond the far edge and above the horizon; z: the value at which fading
// begins.
uniform vec3 depthLine;

out vec4 color;

void main() {
    float nearness = depthLine.x + depthLine.y * gl_FragCoord.y;
    float share = nearness <= 1.0 ? 1.0 : clamp((1.0 / nearness - depthLine.z) / (1.0 - depthLine.z), 0.0, 1.0);
    color = sky * share;
}
