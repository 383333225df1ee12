// The part of a texture that a pixel shows: a parallelogram, given by its sides in texels, and described by the axes of the ellipse inside
// it. Their lengths are the singular values of the matrix of the sides (Heckbert, "Fundamentals of Texture Mapping and Image Warping",
// 1989, section 3.5.2).

struct Footprint {
    vec2 axis;       // the longer axis, as a vector of its whole length
    float longest;   // the lengths of both axes
    float shortest;
};

// right, down: the texels from a pixel to its neighbors.
Footprint footprint(vec2 right, vec2 down) {
    float across = dot(right, right);
    float along = dot(down, down);
    // Slightly more, so that the axes of a circle do not depend on the last bits.
    float both = dot(right, down) + 2e-4 * (across + along);
    float difference = 0.5 * (across - along);
    float root = sqrt(difference * difference + both * both);
    float longest = sqrt(0.5 * (across + along) + root);
    // The direction of the longer axis on the screen.
    float turn = difference / max(root, 1e-20);
    vec2 direction = sqrt(max(0.5 + 0.5 * vec2(turn, -turn), 0.0));
    vec2 axis = direction.x * right + (both < 0.0 ? -direction.y : direction.y) * down;
    return Footprint(axis, longest, abs(right.x * down.y - right.y * down.x) / max(longest, 1e-20));
}
