// A corner of a mesh. What differs from instance to instance is multiplied in double precision before it comes here.

layout(location = 0) in vec3 position;  // mesh units: x east, y north, z up
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;     // in the texture: (0, 0) upper left, (1, 1) lower right
#ifdef ALONE
// Of one instance, which no corner then fetches: where the mesh's axes and origin go in clip space, and where its axes point
// (east, north, up), of length 1.
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
// The same of each instance.
layout(location = 3) in vec4 clipX;
layout(location = 4) in vec4 clipY;
layout(location = 5) in vec4 clipZ;
layout(location = 6) in vec4 clipOrigin;
layout(location = 7) in vec3 worldX;
layout(location = 8) in vec3 worldY;
layout(location = 9) in vec3 worldZ;
#ifndef ONE_COLOR
layout(location = 10) in vec4 color;    // straight; w: what all is multiplied with in the end
#endif
#endif

// The passes of a translucent mesh find one another by depth.
invariant gl_Position;

#ifdef TEXTURED
out vec2 texturePlace;
#endif

#ifndef DEPTH_ONLY
#ifndef ONE_COLOR
flat out vec4 instanceColor;
#endif
#ifdef LIGHTS
out vec3 worldNormal;
#endif
#endif

void main() {
#ifdef TEXTURED
    texturePlace = place;
#endif
#ifndef DEPTH_ONLY
#ifndef ONE_COLOR
    instanceColor = color;
#endif
#ifdef LIGHTS
    worldNormal = worldX * normal.x + worldY * normal.y + worldZ * normal.z;
#endif
#endif
    gl_Position = clipX * position.x + clipY * position.y + clipZ * position.z + clipOrigin;
}
