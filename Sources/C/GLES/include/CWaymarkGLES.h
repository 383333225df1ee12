// CWaymarkGLES: EGL and OpenGL ES loaded at run time, and the matrices of the camera.
// It does not link libEGL or libGLESv2, creates no context, and keeps no state besides the function table and the driver's messages.
#pragma once

// Every EGL and OpenGL ES function that Waymark calls. To add one, add one line:
//
//     X(REQUIRED or OPTIONAL, result, name, (parameters), (arguments))
//
// That line generates the table's field, the wrapper `wm_name(...)` that Swift calls, and `wm_has_name()`. Loading fails, with the name,
// if a REQUIRED function is absent. An OPTIONAL function may be called only if wm_has_name() returns true. A context may not support a
// function that has an address. Check the context's version or extensions. The prototypes are hidden, so that all calls use the table,
// and nothing is linked by mistake.
#define EGL_EGL_PROTOTYPES 0
#define GL_GLES_PROTOTYPES 0

#if !__has_include(<EGL/egl.h>) || !__has_include(<GLES3/gl32.h>)
#error "the headers of EGL and OpenGL ES are missing; install libegl-dev and libgles-dev (Fedora: mesa-libEGL-devel mesa-libGLES-devel)"
#endif
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
#include <stdbool.h>
#include <stddef.h>

// EGL functions are looked up by dlsym in libEGL, or else by eglGetProcAddress.
#define WM_EGL_FUNCTIONS(X) \
    X(REQUIRED, __eglMustCastToProperFunctionPointerType, eglGetProcAddress, (const char *procname), (procname)) \
    X(REQUIRED, EGLint, eglGetError, (void), ()) \
    X(REQUIRED, const char *, eglQueryString, (EGLDisplay dpy, EGLint name), (dpy, name)) \
    X(REQUIRED, EGLBoolean, eglInitialize, (EGLDisplay dpy, EGLint *major, EGLint *minor), (dpy, major, minor)) \
    X(REQUIRED, EGLBoolean, eglBindAPI, (EGLenum api), (api)) \
    X(REQUIRED, EGLBoolean, eglChooseConfig, (EGLDisplay dpy, const EGLint *attrib_list, EGLConfig *configs, \
      EGLint config_size, EGLint *num_config), (dpy, attrib_list, configs, config_size, num_config)) \
    X(REQUIRED, EGLContext, eglCreateContext, (EGLDisplay dpy, EGLConfig config, EGLContext share_context, \
      const EGLint *attrib_list), (dpy, config, share_context, attrib_list)) \
    X(REQUIRED, EGLBoolean, eglDestroyContext, (EGLDisplay dpy, EGLContext ctx), (dpy, ctx)) \
    X(REQUIRED, EGLSurface, eglCreatePbufferSurface, (EGLDisplay dpy, EGLConfig config, const EGLint \
      *attrib_list), (dpy, config, attrib_list)) \
    X(REQUIRED, EGLBoolean, eglDestroySurface, (EGLDisplay dpy, EGLSurface surface), (dpy, surface)) \
    X(REQUIRED, EGLBoolean, eglMakeCurrent, (EGLDisplay dpy, EGLSurface draw, EGLSurface read, EGLContext \
      ctx), (dpy, draw, read, ctx)) \
    X(REQUIRED, EGLContext, eglGetCurrentContext, (void), ()) \
    X(REQUIRED, EGLDisplay, eglGetCurrentDisplay, (void), ()) \
    X(REQUIRED, EGLSurface, eglGetCurrentSurface, (EGLint readdraw), (readdraw)) \
    /* Extensions, and EGL 1.5 where it has taken them in. */ \
    X(OPTIONAL, EGLDisplay, eglGetPlatformDisplay, (EGLenum platform, void *native_display, const EGLAttrib \
      *attrib_list), (platform, native_display, attrib_list)) \
    X(OPTIONAL, EGLDisplay, eglGetPlatformDisplayEXT, (EGLenum platform, void *native_display, const EGLint \
      *attrib_list), (platform, native_display, attrib_list)) \
    X(OPTIONAL, EGLBoolean, eglQueryDevicesEXT, (EGLint max_devices, EGLDeviceEXT *devices, EGLint \
      *num_devices), (max_devices, devices, num_devices)) \
    X(OPTIONAL, const char *, eglQueryDeviceStringEXT, (EGLDeviceEXT device, EGLint name), (device, name)) \
    X(OPTIONAL, EGLBoolean, eglQueryDeviceAttribEXT, (EGLDeviceEXT device, EGLint attribute, EGLAttrib \
      *value), (device, attribute, value)) \
    X(OPTIONAL, EGLint, eglDebugMessageControlKHR, (EGLDEBUGPROCKHR callback, const EGLAttrib *attrib_list), \
      (callback, attrib_list))

// OpenGL ES functions are looked up by eglGetProcAddress, or else by dlsym in libGLESv2.
#define WM_GL_FUNCTIONS(X) \
    /* State and limits */ \
    X(REQUIRED, GLenum, glGetError, (void), ()) \
    X(REQUIRED, const GLubyte *, glGetString, (GLenum name), (name)) \
    X(REQUIRED, const GLubyte *, glGetStringi, (GLenum name, GLuint index), (name, index)) \
    X(REQUIRED, void, glGetIntegerv, (GLenum pname, GLint *data), (pname, data)) \
    X(REQUIRED, void, glEnable, (GLenum cap), (cap)) \
    X(REQUIRED, void, glDisable, (GLenum cap), (cap)) \
    X(REQUIRED, void, glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height)) \
    X(REQUIRED, void, glScissor, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height)) \
    X(REQUIRED, void, glBlendFunc, (GLenum sfactor, GLenum dfactor), (sfactor, dfactor)) \
    X(REQUIRED, void, glDepthFunc, (GLenum func), (func)) \
    X(REQUIRED, void, glDepthMask, (GLboolean flag), (flag)) \
    X(REQUIRED, void, glStencilFunc, (GLenum func, GLint ref, GLuint mask), (func, ref, mask)) \
    X(REQUIRED, void, glStencilOp, (GLenum fail, GLenum zfail, GLenum zpass), (fail, zfail, zpass)) \
    X(REQUIRED, void, glColorMask, (GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha), (red, \
      green, blue, alpha)) \
    X(REQUIRED, void, glCullFace, (GLenum mode), (mode)) \
    X(REQUIRED, void, glFrontFace, (GLenum mode), (mode)) \
    X(REQUIRED, void, glPixelStorei, (GLenum pname, GLint param), (pname, param)) \
    X(REQUIRED, void, glFinish, (void), ()) \
    X(REQUIRED, void, glFlush, (void), ()) \
    /* Shaders and programs */ \
    X(REQUIRED, GLuint, glCreateShader, (GLenum type), (type)) \
    X(REQUIRED, void, glDeleteShader, (GLuint shader), (shader)) \
    X(REQUIRED, void, glShaderSource, (GLuint shader, GLsizei count, const GLchar *const*string, const GLint \
      *length), (shader, count, string, length)) \
    X(REQUIRED, void, glCompileShader, (GLuint shader), (shader)) \
    X(REQUIRED, void, glGetShaderiv, (GLuint shader, GLenum pname, GLint *params), (shader, pname, params)) \
    X(REQUIRED, void, glGetShaderInfoLog, (GLuint shader, GLsizei bufSize, GLsizei *length, GLchar \
      *infoLog), (shader, bufSize, length, infoLog)) \
    X(REQUIRED, GLuint, glCreateProgram, (void), ()) \
    X(REQUIRED, void, glDeleteProgram, (GLuint program), (program)) \
    X(REQUIRED, void, glAttachShader, (GLuint program, GLuint shader), (program, shader)) \
    X(REQUIRED, void, glLinkProgram, (GLuint program), (program)) \
    X(REQUIRED, void, glUseProgram, (GLuint program), (program)) \
    X(REQUIRED, void, glGetProgramiv, (GLuint program, GLenum pname, GLint *params), (program, pname, params)) \
    X(REQUIRED, void, glGetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei *length, GLchar \
      *infoLog), (program, bufSize, length, infoLog)) \
    X(REQUIRED, void, glGetActiveUniform, (GLuint program, GLuint index, GLsizei bufSize, GLsizei *length, \
      GLint *size, GLenum *type, GLchar *name), (program, index, bufSize, length, size, type, name)) \
    X(REQUIRED, GLint, glGetUniformLocation, (GLuint program, const GLchar *name), (program, name)) \
    /* Uniforms */ \
    X(REQUIRED, void, glUniform1f, (GLint location, GLfloat v0), (location, v0)) \
    X(REQUIRED, void, glUniform2f, (GLint location, GLfloat v0, GLfloat v1), (location, v0, v1)) \
    X(REQUIRED, void, glUniform3f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2), (location, v0, v1, v2)) \
    X(REQUIRED, void, glUniform4f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3), \
      (location, v0, v1, v2, v3)) \
    X(REQUIRED, void, glUniform1i, (GLint location, GLint v0), (location, v0)) \
    X(REQUIRED, void, glUniform4fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, \
      value)) \
    X(REQUIRED, void, glUniformMatrix4fv, (GLint location, GLsizei count, GLboolean transpose, const GLfloat \
      *value), (location, count, transpose, value)) \
    /* Buffers */ \
    X(REQUIRED, void, glGenBuffers, (GLsizei n, GLuint *buffers), (n, buffers)) \
    X(REQUIRED, void, glDeleteBuffers, (GLsizei n, const GLuint *buffers), (n, buffers)) \
    X(REQUIRED, void, glBindBuffer, (GLenum target, GLuint buffer), (target, buffer)) \
    X(REQUIRED, void, glBufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage), \
      (target, size, data, usage)) \
    X(REQUIRED, void, glBufferSubData, (GLenum target, GLintptr offset, GLsizeiptr size, const void *data), \
      (target, offset, size, data)) \
    X(REQUIRED, void *, glMapBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield \
      access), (target, offset, length, access)) \
    X(REQUIRED, GLboolean, glUnmapBuffer, (GLenum target), (target)) \
    /* Vertex arrays */ \
    X(REQUIRED, void, glGenVertexArrays, (GLsizei n, GLuint *arrays), (n, arrays)) \
    X(REQUIRED, void, glDeleteVertexArrays, (GLsizei n, const GLuint *arrays), (n, arrays)) \
    X(REQUIRED, void, glBindVertexArray, (GLuint array), (array)) \
    X(REQUIRED, void, glEnableVertexAttribArray, (GLuint index), (index)) \
    X(REQUIRED, void, glVertexAttribPointer, (GLuint index, GLint size, GLenum type, GLboolean normalized, \
      GLsizei stride, const void *pointer), (index, size, type, normalized, stride, pointer)) \
    X(REQUIRED, void, glVertexAttribDivisor, (GLuint index, GLuint divisor), (index, divisor)) \
    /* Textures and samplers */ \
    X(REQUIRED, void, glGenTextures, (GLsizei n, GLuint *textures), (n, textures)) \
    X(REQUIRED, void, glDeleteTextures, (GLsizei n, const GLuint *textures), (n, textures)) \
    X(REQUIRED, void, glBindTexture, (GLenum target, GLuint texture), (target, texture)) \
    X(REQUIRED, void, glActiveTexture, (GLenum texture), (texture)) \
    X(REQUIRED, void, glTexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param)) \
    X(REQUIRED, void, glTexImage2D, (GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height, GLint border, \
      GLenum format, GLenum type, const void *pixels), (target, level, internalformat, width, height, border, format, type, pixels)) \
    X(REQUIRED, void, glTexStorage3D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, \
      GLsizei height, GLsizei depth), (target, levels, internalformat, width, height, depth)) \
    X(REQUIRED, void, glTexSubImage3D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint \
      zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void \
      *pixels), (target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels)) \
    X(REQUIRED, void, glGenerateMipmap, (GLenum target), (target)) \
    X(REQUIRED, void, glGenSamplers, (GLsizei count, GLuint *samplers), (count, samplers)) \
    X(REQUIRED, void, glBindSampler, (GLuint unit, GLuint sampler), (unit, sampler)) \
    X(REQUIRED, void, glSamplerParameteri, (GLuint sampler, GLenum pname, GLint param), (sampler, pname, param)) \
    /* Framebuffers */ \
    X(REQUIRED, void, glGenFramebuffers, (GLsizei n, GLuint *framebuffers), (n, framebuffers)) \
    X(REQUIRED, void, glDeleteFramebuffers, (GLsizei n, const GLuint *framebuffers), (n, framebuffers)) \
    X(REQUIRED, void, glBindFramebuffer, (GLenum target, GLuint framebuffer), (target, framebuffer)) \
    X(REQUIRED, GLenum, glCheckFramebufferStatus, (GLenum target), (target)) \
    X(REQUIRED, void, glFramebufferTexture2D, (GLenum target, GLenum attachment, GLenum textarget, GLuint \
      texture, GLint level), (target, attachment, textarget, texture, level)) \
    X(REQUIRED, void, glFramebufferTextureLayer, (GLenum target, GLenum attachment, GLuint texture, GLint \
      level, GLint layer), (target, attachment, texture, level, layer)) \
    X(REQUIRED, void, glFramebufferRenderbuffer, (GLenum target, GLenum attachment, GLenum \
      renderbuffertarget, GLuint renderbuffer), (target, attachment, renderbuffertarget, renderbuffer)) \
    X(REQUIRED, void, glGenRenderbuffers, (GLsizei n, GLuint *renderbuffers), (n, renderbuffers)) \
    X(REQUIRED, void, glDeleteRenderbuffers, (GLsizei n, const GLuint *renderbuffers), (n, renderbuffers)) \
    X(REQUIRED, void, glBindRenderbuffer, (GLenum target, GLuint renderbuffer), (target, renderbuffer)) \
    X(REQUIRED, void, glRenderbufferStorageMultisample, (GLenum target, GLsizei samples, GLenum \
      internalformat, GLsizei width, GLsizei height), (target, samples, internalformat, width, height)) \
    X(REQUIRED, void, glBlitFramebuffer, (GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, \
      GLint dstY0, GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter), (srcX0, srcY0, srcX1, srcY1, \
      dstX0, dstY0, dstX1, dstY1, mask, filter)) \
    X(REQUIRED, void, glReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum \
      type, void *pixels), (x, y, width, height, format, type, pixels)) \
    X(REQUIRED, void, glClearBufferfv, (GLenum buffer, GLint drawbuffer, const GLfloat *value), (buffer, \
      drawbuffer, value)) \
    X(REQUIRED, void, glClearBufferfi, (GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil), \
      (buffer, drawbuffer, depth, stencil)) \
    /* Drawing */ \
    X(REQUIRED, void, glDrawArraysInstanced, (GLenum mode, GLint first, GLsizei count, GLsizei \
      instancecount), (mode, first, count, instancecount)) \
    X(REQUIRED, void, glDrawElementsInstanced, (GLenum mode, GLsizei count, GLenum type, const void \
      *indices, GLsizei instancecount), (mode, count, type, indices, instancecount)) \
    /* OpenGL ES 3.2 and extensions */ \
    X(OPTIONAL, GLenum, glGetGraphicsResetStatus, (void), ()) \
    X(OPTIONAL, GLenum, glGetGraphicsResetStatusEXT, (void), ()) \
    X(OPTIONAL, void, glClipControlEXT, (GLenum origin, GLenum depth), (origin, depth))

#ifdef __cplusplus
extern "C" {
#endif

#define WM_FIELD(need, result, name, parameters, arguments) result(GL_APIENTRY *name) parameters;
/// The loaded functions. wm_load writes the table once; afterwards, it is only read.
struct wm_function_table {
    WM_EGL_FUNCTIONS(WM_FIELD)
    WM_GL_FUNCTIONS(WM_FIELD)
};
#undef WM_FIELD

extern struct wm_function_table wm_functions;

#define WM_WRAPPER(need, result, name, parameters, arguments)                       \
    static inline result wm_##name parameters { return wm_functions.name arguments; } \
    static inline bool wm_has_##name(void) { return wm_functions.name != NULL; }
WM_EGL_FUNCTIONS(WM_WRAPPER)
WM_GL_FUNCTIONS(WM_WRAPPER)
#undef WM_WRAPPER

// MARK: Loading

/// The result of wm_load.
typedef enum wm_load_status {
    /// Every required function is in the table.
    WM_LOAD_OK = 0,
    /// The EGL library could not be opened; the detail is the loader's message.
    WM_LOAD_NO_LIBRARY = 1,
    /// A required function is absent; the detail is its name.
    WM_LOAD_NO_FUNCTION = 2,
} wm_load_status;

/// Opens the EGL library with this file name and fills the function table. Must be called once in the process, before any other function
/// here. This is in C because the table contains C function pointers with the platform's calling convention.
wm_load_status wm_load(const char *library);

/// The loader's message or the name of the absent function after a failed wm_load, otherwise the empty string. Never NULL.
const char *wm_load_detail(void);

/// The path of the loaded EGL library, or the empty string. Never NULL.
const char *wm_load_path(void);

/// Makes EGL_KHR_debug, if available, keep the driver's messages for wm_take_driver_log. This is in C because the driver calls back on
/// any thread.
void wm_keep_driver_log(void);

/// Copies the driver's messages kept since the last call (at most size - 1 bytes, zero-terminated) and forgets them.
void wm_take_driver_log(char *text, size_t size);

// A process-wide lock that a thread may take recursively, unlike Swift's Mutex.
void wm_lock_driver(void);
void wm_unlock_driver(void);

/// Opens a shared library and closes it again. NULL on success, otherwise the loader's message (valid until the next call on this thread).
/// This is in C so that only this target uses dlopen.
const char *wm_library_error(const char *file);

// Constants behind casts, which Swift does not import.
static inline EGLContext wm_no_context(void) { return EGL_NO_CONTEXT; }
static inline EGLDisplay wm_no_display(void) { return EGL_NO_DISPLAY; }
static inline EGLSurface wm_no_surface(void) { return EGL_NO_SURFACE; }
static inline EGLConfig wm_no_config(void) { return EGL_NO_CONFIG_KHR; }

/// A byte offset into the bound buffer in the form that glVertexAttribPointer and glDrawElements expect.
static inline const void *wm_offset(size_t offset) { return (const void *)offset; }

// MARK: Matrices
//
// Matrices are in double precision and column-major: element (row r, column c) of a 4x4 matrix is
// m[c * 4 + r]. They are in C++ because GLM is a C++ library, and Swift has no matrix library on
// Linux.

/// The sine and the cosine of an angle in degrees, exact at every multiple of 90. Adding a whole turn gives identical bits if the sum is
/// exact. A non-finite angle gives NaN.
void wm_sincos_degrees(double degrees, double *sine, double *cosine);

/// The input of wm_view_projection. Lengths are in pt.
typedef struct wm_camera {
    /// Width and height of the viewport; above 0.
    double width, height;
    /// The distance from the camera to the center.
    double distance;
    /// The tilt, from 0 for looking straight down, toward the horizon.
    double tilt_degrees;
    /// The compass direction at the top of the screen, clockwise from north.
    double bearing_degrees;
    /// The optical center, relative to the middle of the viewport, y down.
    double offset_x, offset_y;
    /// Depths of the clip planes along the view; 0 < near_depth < far_depth.
    double near_depth, far_depth;
} wm_camera;

/// The matrix from a world offset (X' east, Y' south, height a, 1) in pt from the center to clip space. clip w is the depth; NDC x = 2 sx /
/// width - 1 and NDC y = 2 sy / height - 1 for the screen point (sx, sy), y down, so that row 0 of a framebuffer is the top row of the
/// picture; NDC z runs from -1 at near_depth to 1 at far_depth.
void wm_view_projection(const wm_camera *camera, double matrix[16]);

/// left * right, that is, right is applied first. `product` may be one of the factors.
void wm_multiply(const double left[16], const double right[16], double product[16]);

#ifdef __cplusplus
}
#endif
