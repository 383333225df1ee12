// Conversions from the spaces of a frame to clip space. Row 0 of the target is the top of the picture.
// screen: device pixels from the picture's upper left, y down. ground: pt east and south of the view's center, and up.

uniform mat4 groundToClip;
uniform vec4 screenToClip;  // xy: clip units for one device pixel; zw: clip position of the upper left

vec4 clipFromScreen(vec2 screenPixels) {
    return vec4(screenPixels * screenToClip.xy + screenToClip.zw, 0.0, 1.0);
}

vec4 clipFromGround(vec3 groundPoints) {
    return groundToClip * vec4(groundPoints, 1.0);
}
