// A vertex of a mesh. The matrices of each instance are multiplied in double precision on the processor.

layout(location = 0) in vec3 position;  // mesh units: x east, y north, z up
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;        // (0, 0) upper left of the texture, (1, 1) lower right
#ifdef ALONE
// For a draw with one instance, so that vertices need not fetch them: the mesh's axes and origin in clip space, and the directions of its
// axes (east, north, up), of length 1.
uniform vec4 clip[4];
uniform vec4 world[3];
#define clipX clip[0]
#define clipY clip[1]
#define clipZ clip[2]
#define clipOrigin clip[3]
#define worldX world[0].xyz
#define worldY world[1].xyz
#define worldZ world[2].xyz
#else
// The same for each instance.
layout(location = 3) in vec4 clipX;
layout(location = 4) in vec4 clipY;
layout(location = 5) in vec4 clipZ;
layout(location = 6) in vec4 clipOrigin;
layout(location = 7) in vec3 worldX;
layout(location = 8) in vec3 worldY;
layout(location = 9) in vec3 worldZ;
#ifndef ONE_COLOR
layout(location = 10) in vec4 color;    // straight; w: the opacity that multiplies the result
#endif
#endif
#ifdef COLORED
layout(location = 11) in vec4 vertexColor;  // straight
#endif

#ifdef EDGES
// Where the ground beneath the vertex is in the picture, in device pixels times w, and w: for the mesh's x and y axes and its origin. Only
// for a draw with one instance.
uniform vec4 foot[3];
out vec3 footPoint;
#endif

// The passes of a translucent mesh compare depths for equality.
invariant gl_Position;

#ifdef TEXTURED
out vec2 textureUV;
#endif
#ifdef COLORED
out vec4 surfaceColor;
#endif

#ifndef DEPTH_ONLY
#ifndef ONE_COLOR
flat out vec4 instanceColor;
#endif
#ifdef LIGHTS
#ifdef FACE_LIT
flat out vec3 faceLight;
#else
out vec3 worldNormal;
#endif
#endif
#endif

void main() {
#ifdef EDGES
    footPoint = foot[0].xyz * position.x + foot[1].xyz * position.y + foot[2].xyz;
#endif
#ifdef TEXTURED
    textureUV = uv;
#endif
#ifdef COLORED
    surfaceColor = vertexColor;
#endif
#ifndef DEPTH_ONLY
#ifndef ONE_COLOR
    instanceColor = color;
#endif
#ifdef LIGHTS
#ifdef FACE_LIT
    faceLight = lightOn(worldX * normal.x + worldY * normal.y + worldZ * normal.z, true);
#else
    worldNormal = worldX * normal.x + worldY * normal.y + worldZ * normal.z;
#endif
#endif
#endif
    gl_Position = clipX * position.x + clipY * position.y + clipZ * position.z + clipOrigin;
}
