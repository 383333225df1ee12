// The color of the sky, premultiplied, to the extent that the ground has faded to it.

out vec4 color;

void main() {
    vec2 point = picturePoint();
    color = skyColor(point) * skyShare(point);
}
