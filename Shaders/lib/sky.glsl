// The sky, and how the ground fades into it. EDGES: the number of edges at which the ground ends in the picture, at least one.

#ifdef EDGES
// For each edge, the share of the sky: x · column + y · row + z, before it is clamped to 0…1 and eased. w: how many rows higher than the nearest
// point of the edge a point lies, per share beyond 1.
uniform vec4 edges[EDGES];
uniform vec2 skyOrigin;     // the target's upper left in the camera's picture, in device pixels
uniform vec4 horizonColor;  // premultiplied, in the order of the target's memory
uniform vec4 zenithColor;   // the same, at the picture's upper edge

// The pixel's center in the camera's picture, which has the same numbers whatever part of the picture the target shows.
vec2 picturePoint() { return gl_FragCoord.xy + skyOrigin; }

// The share of the sky at a point of the picture.
float skyShare(vec2 point) {
    float share = 0.0;
    for (int index = 0; index < EDGES; index++) share = max(share, dot(edges[index].xyz, vec3(point, 1.0)));
    share = min(share, 1.0);
    return share * share * (3.0 - 2.0 * share);
}

// The color of the sky at a point of the picture: from that of the zenith at the upper edge to that of the horizon in the row of the nearest
// ground. No row is less than half a pixel from the upper edge.
vec4 skyColor(vec2 point) {
    float rise = 0.0;
    for (int index = 0; index < EDGES; index++) {
        rise = max(rise, edges[index].w * (dot(edges[index].xyz, vec3(point, 1.0)) - 1.0));
    }
    return mix(zenithColor, horizonColor, point.y / (point.y + rise));
}

// The color of a pixel of something that stands on the ground. foot: the point of the picture where the ground beneath it is.
vec4 faded(vec4 color, vec2 foot) {
    float share = skyShare(foot);
    return color * (1.0 - share) + skyColor(picturePoint()) * (share * color.a);
}

// The color of a pixel of something on the ground.
vec4 faded(vec4 color) { return faded(color, picturePoint()); }
#endif
