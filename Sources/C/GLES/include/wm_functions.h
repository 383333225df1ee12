// Every EGL and OpenGL ES function that Waymark calls. To add one, add one line:
//
//     X(REQUIRED or OPTIONAL, result, name, (parameters), (arguments))
//
// From that line come the table's field, the wrapper `wm_name(...)` that Swift calls, and `wm_has_name()`.
// Loading fails, with the name, when a REQUIRED one is absent; an OPTIONAL one may be called only after wm_has_name() said so.
// That a function has an address does not say that a context supports it: ask the version or the extensions for that.
#pragma once

// The prototypes are hidden, so that nothing can be linked against by mistake: the table is the one way in.
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

// EGL. Found by dlsym in libEGL, else by eglGetProcAddress.
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
    X(REQUIRED, EGLBoolean, eglQueryContext, (EGLDisplay dpy, EGLContext ctx, EGLint attribute, EGLint \
      *value), (dpy, ctx, attribute, value)) \
    X(REQUIRED, EGLBoolean, eglReleaseThread, (void), ()) \
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
    X(OPTIONAL, EGLBoolean, eglQueryDisplayAttribEXT, (EGLDisplay dpy, EGLint attribute, EGLAttrib *value), \
      (dpy, attribute, value)) \
    X(OPTIONAL, EGLint, eglDebugMessageControlKHR, (EGLDEBUGPROCKHR callback, const EGLAttrib *attrib_list), \
      (callback, attrib_list))

// OpenGL ES. Found by eglGetProcAddress, else by dlsym in libGLESv2.
#define WM_GL_FUNCTIONS(X) \
    /* State and limits */ \
    X(REQUIRED, GLenum, glGetError, (void), ()) \
    X(REQUIRED, const GLubyte *, glGetString, (GLenum name), (name)) \
    X(REQUIRED, const GLubyte *, glGetStringi, (GLenum name, GLuint index), (name, index)) \
    X(REQUIRED, void, glGetIntegerv, (GLenum pname, GLint *data), (pname, data)) \
    X(REQUIRED, void, glGetInteger64v, (GLenum pname, GLint64 *data), (pname, data)) \
    X(REQUIRED, void, glGetInternalformativ, (GLenum target, GLenum internalformat, GLenum pname, GLsizei \
      bufSize, GLint *params), (target, internalformat, pname, bufSize, params)) \
    X(REQUIRED, void, glEnable, (GLenum cap), (cap)) \
    X(REQUIRED, void, glDisable, (GLenum cap), (cap)) \
    X(REQUIRED, void, glViewport, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height)) \
    X(REQUIRED, void, glScissor, (GLint x, GLint y, GLsizei width, GLsizei height), (x, y, width, height)) \
    X(REQUIRED, void, glBlendFunc, (GLenum sfactor, GLenum dfactor), (sfactor, dfactor)) \
    X(REQUIRED, void, glBlendFuncSeparate, (GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha, \
      GLenum dfactorAlpha), (sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha)) \
    X(REQUIRED, void, glBlendEquation, (GLenum mode), (mode)) \
    X(REQUIRED, void, glDepthFunc, (GLenum func), (func)) \
    X(REQUIRED, void, glDepthMask, (GLboolean flag), (flag)) \
    X(REQUIRED, void, glDepthRangef, (GLfloat n, GLfloat f), (n, f)) \
    X(REQUIRED, void, glStencilFunc, (GLenum func, GLint ref, GLuint mask), (func, ref, mask)) \
    X(REQUIRED, void, glStencilOp, (GLenum fail, GLenum zfail, GLenum zpass), (fail, zfail, zpass)) \
    X(REQUIRED, void, glColorMask, (GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha), (red, \
      green, blue, alpha)) \
    X(REQUIRED, void, glCullFace, (GLenum mode), (mode)) \
    X(REQUIRED, void, glFrontFace, (GLenum mode), (mode)) \
    X(REQUIRED, void, glPolygonOffset, (GLfloat factor, GLfloat units), (factor, units)) \
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
    X(REQUIRED, void, glDetachShader, (GLuint program, GLuint shader), (program, shader)) \
    X(REQUIRED, void, glBindAttribLocation, (GLuint program, GLuint index, const GLchar *name), (program, \
      index, name)) \
    X(REQUIRED, void, glLinkProgram, (GLuint program), (program)) \
    X(REQUIRED, void, glUseProgram, (GLuint program), (program)) \
    X(REQUIRED, void, glGetProgramiv, (GLuint program, GLenum pname, GLint *params), (program, pname, params)) \
    X(REQUIRED, void, glGetProgramInfoLog, (GLuint program, GLsizei bufSize, GLsizei *length, GLchar \
      *infoLog), (program, bufSize, length, infoLog)) \
    X(REQUIRED, void, glGetActiveUniform, (GLuint program, GLuint index, GLsizei bufSize, GLsizei *length, \
      GLint *size, GLenum *type, GLchar *name), (program, index, bufSize, length, size, type, name)) \
    X(REQUIRED, GLint, glGetUniformLocation, (GLuint program, const GLchar *name), (program, name)) \
    X(REQUIRED, GLint, glGetAttribLocation, (GLuint program, const GLchar *name), (program, name)) \
    /* Uniforms */ \
    X(REQUIRED, void, glUniform1f, (GLint location, GLfloat v0), (location, v0)) \
    X(REQUIRED, void, glUniform2f, (GLint location, GLfloat v0, GLfloat v1), (location, v0, v1)) \
    X(REQUIRED, void, glUniform3f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2), (location, v0, v1, v2)) \
    X(REQUIRED, void, glUniform4f, (GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3), \
      (location, v0, v1, v2, v3)) \
    X(REQUIRED, void, glUniform1i, (GLint location, GLint v0), (location, v0)) \
    X(REQUIRED, void, glUniform2i, (GLint location, GLint v0, GLint v1), (location, v0, v1)) \
    X(REQUIRED, void, glUniform1ui, (GLint location, GLuint v0), (location, v0)) \
    X(REQUIRED, void, glUniform1fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, \
      value)) \
    X(REQUIRED, void, glUniform4fv, (GLint location, GLsizei count, const GLfloat *value), (location, count, \
      value)) \
    X(REQUIRED, void, glUniformMatrix3fv, (GLint location, GLsizei count, GLboolean transpose, const GLfloat \
      *value), (location, count, transpose, value)) \
    X(REQUIRED, void, glUniformMatrix4fv, (GLint location, GLsizei count, GLboolean transpose, const GLfloat \
      *value), (location, count, transpose, value)) \
    X(REQUIRED, GLuint, glGetUniformBlockIndex, (GLuint program, const GLchar *uniformBlockName), (program, \
      uniformBlockName)) \
    X(REQUIRED, void, glUniformBlockBinding, (GLuint program, GLuint uniformBlockIndex, GLuint \
      uniformBlockBinding), (program, uniformBlockIndex, uniformBlockBinding)) \
    /* Buffers */ \
    X(REQUIRED, void, glGenBuffers, (GLsizei n, GLuint *buffers), (n, buffers)) \
    X(REQUIRED, void, glDeleteBuffers, (GLsizei n, const GLuint *buffers), (n, buffers)) \
    X(REQUIRED, void, glBindBuffer, (GLenum target, GLuint buffer), (target, buffer)) \
    X(REQUIRED, void, glBindBufferBase, (GLenum target, GLuint index, GLuint buffer), (target, index, buffer)) \
    X(REQUIRED, void, glBindBufferRange, (GLenum target, GLuint index, GLuint buffer, GLintptr offset, \
      GLsizeiptr size), (target, index, buffer, offset, size)) \
    X(REQUIRED, void, glBufferData, (GLenum target, GLsizeiptr size, const void *data, GLenum usage), \
      (target, size, data, usage)) \
    X(REQUIRED, void, glBufferSubData, (GLenum target, GLintptr offset, GLsizeiptr size, const void *data), \
      (target, offset, size, data)) \
    X(REQUIRED, void *, glMapBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield \
      access), (target, offset, length, access)) \
    X(REQUIRED, void, glFlushMappedBufferRange, (GLenum target, GLintptr offset, GLsizeiptr length), \
      (target, offset, length)) \
    X(REQUIRED, GLboolean, glUnmapBuffer, (GLenum target), (target)) \
    X(REQUIRED, void, glCopyBufferSubData, (GLenum readTarget, GLenum writeTarget, GLintptr readOffset, \
      GLintptr writeOffset, GLsizeiptr size), (readTarget, writeTarget, readOffset, writeOffset, size)) \
    /* Vertex arrays */ \
    X(REQUIRED, void, glGenVertexArrays, (GLsizei n, GLuint *arrays), (n, arrays)) \
    X(REQUIRED, void, glDeleteVertexArrays, (GLsizei n, const GLuint *arrays), (n, arrays)) \
    X(REQUIRED, void, glBindVertexArray, (GLuint array), (array)) \
    X(REQUIRED, void, glEnableVertexAttribArray, (GLuint index), (index)) \
    X(REQUIRED, void, glDisableVertexAttribArray, (GLuint index), (index)) \
    X(REQUIRED, void, glVertexAttribPointer, (GLuint index, GLint size, GLenum type, GLboolean normalized, \
      GLsizei stride, const void *pointer), (index, size, type, normalized, stride, pointer)) \
    X(REQUIRED, void, glVertexAttribIPointer, (GLuint index, GLint size, GLenum type, GLsizei stride, const \
      void *pointer), (index, size, type, stride, pointer)) \
    X(REQUIRED, void, glVertexAttribDivisor, (GLuint index, GLuint divisor), (index, divisor)) \
    /* Textures and samplers */ \
    X(REQUIRED, void, glGenTextures, (GLsizei n, GLuint *textures), (n, textures)) \
    X(REQUIRED, void, glDeleteTextures, (GLsizei n, const GLuint *textures), (n, textures)) \
    X(REQUIRED, void, glBindTexture, (GLenum target, GLuint texture), (target, texture)) \
    X(REQUIRED, void, glActiveTexture, (GLenum texture), (texture)) \
    X(REQUIRED, void, glTexParameteri, (GLenum target, GLenum pname, GLint param), (target, pname, param)) \
    X(REQUIRED, void, glTexImage2D, (GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height, GLint border, \
      GLenum format, GLenum type, const void *pixels), (target, level, internalformat, width, height, border, format, type, pixels)) \
    X(REQUIRED, void, glTexStorage2D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, \
      GLsizei height), (target, levels, internalformat, width, height)) \
    X(REQUIRED, void, glTexStorage3D, (GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, \
      GLsizei height, GLsizei depth), (target, levels, internalformat, width, height, depth)) \
    X(REQUIRED, void, glTexSubImage2D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei \
      width, GLsizei height, GLenum format, GLenum type, const void *pixels), (target, level, xoffset, \
      yoffset, width, height, format, type, pixels)) \
    X(REQUIRED, void, glTexSubImage3D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint \
      zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void \
      *pixels), (target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels)) \
    X(REQUIRED, void, glCopyTexSubImage3D, (GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint \
      zoffset, GLint x, GLint y, GLsizei width, GLsizei height), (target, level, xoffset, yoffset, zoffset, \
      x, y, width, height)) \
    X(REQUIRED, void, glGenerateMipmap, (GLenum target), (target)) \
    X(REQUIRED, void, glGenSamplers, (GLsizei count, GLuint *samplers), (count, samplers)) \
    X(REQUIRED, void, glDeleteSamplers, (GLsizei count, const GLuint *samplers), (count, samplers)) \
    X(REQUIRED, void, glBindSampler, (GLuint unit, GLuint sampler), (unit, sampler)) \
    X(REQUIRED, void, glSamplerParameteri, (GLuint sampler, GLenum pname, GLint param), (sampler, pname, param)) \
    X(REQUIRED, void, glSamplerParameterf, (GLuint sampler, GLenum pname, GLfloat param), (sampler, pname, param)) \
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
    X(REQUIRED, void, glRenderbufferStorage, (GLenum target, GLenum internalformat, GLsizei width, GLsizei \
      height), (target, internalformat, width, height)) \
    X(REQUIRED, void, glRenderbufferStorageMultisample, (GLenum target, GLsizei samples, GLenum \
      internalformat, GLsizei width, GLsizei height), (target, samples, internalformat, width, height)) \
    X(REQUIRED, void, glBlitFramebuffer, (GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, \
      GLint dstY0, GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter), (srcX0, srcY0, srcX1, srcY1, \
      dstX0, dstY0, dstX1, dstY1, mask, filter)) \
    X(REQUIRED, void, glInvalidateFramebuffer, (GLenum target, GLsizei numAttachments, const GLenum \
      *attachments), (target, numAttachments, attachments)) \
    X(REQUIRED, void, glReadBuffer, (GLenum src), (src)) \
    X(REQUIRED, void, glDrawBuffers, (GLsizei n, const GLenum *bufs), (n, bufs)) \
    X(REQUIRED, void, glReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum \
      type, void *pixels), (x, y, width, height, format, type, pixels)) \
    X(REQUIRED, void, glClear, (GLbitfield mask), (mask)) \
    X(REQUIRED, void, glClearColor, (GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha), (red, green, \
      blue, alpha)) \
    X(REQUIRED, void, glClearDepthf, (GLfloat d), (d)) \
    X(REQUIRED, void, glClearBufferfv, (GLenum buffer, GLint drawbuffer, const GLfloat *value), (buffer, \
      drawbuffer, value)) \
    X(REQUIRED, void, glClearBufferfi, (GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil), \
      (buffer, drawbuffer, depth, stencil)) \
    /* Drawing */ \
    X(REQUIRED, void, glDrawArrays, (GLenum mode, GLint first, GLsizei count), (mode, first, count)) \
    X(REQUIRED, void, glDrawElements, (GLenum mode, GLsizei count, GLenum type, const void *indices), (mode, \
      count, type, indices)) \
    X(REQUIRED, void, glDrawArraysInstanced, (GLenum mode, GLint first, GLsizei count, GLsizei \
      instancecount), (mode, first, count, instancecount)) \
    X(REQUIRED, void, glDrawElementsInstanced, (GLenum mode, GLsizei count, GLenum type, const void \
      *indices, GLsizei instancecount), (mode, count, type, indices, instancecount)) \
    X(REQUIRED, void, glDrawRangeElements, (GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum \
      type, const void *indices), (mode, start, end, count, type, indices)) \
    /* Waiting */ \
    X(REQUIRED, GLsync, glFenceSync, (GLenum condition, GLbitfield flags), (condition, flags)) \
    X(REQUIRED, void, glDeleteSync, (GLsync sync), (sync)) \
    X(REQUIRED, GLenum, glClientWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout), (sync, flags, \
      timeout)) \
    X(REQUIRED, void, glWaitSync, (GLsync sync, GLbitfield flags, GLuint64 timeout), (sync, flags, timeout)) \
    X(REQUIRED, void, glGetSynciv, (GLsync sync, GLenum pname, GLsizei bufSize, GLsizei *length, GLint \
      *values), (sync, pname, bufSize, length, values)) \
    /* OpenGL ES 3.2 and extensions */ \
    X(OPTIONAL, GLenum, glGetGraphicsResetStatus, (void), ()) \
    X(OPTIONAL, GLenum, glGetGraphicsResetStatusKHR, (void), ()) \
    X(OPTIONAL, GLenum, glGetGraphicsResetStatusEXT, (void), ()) \
    X(OPTIONAL, void, glClipControlEXT, (GLenum origin, GLenum depth), (origin, depth)) \
    X(OPTIONAL, void, glDebugMessageControl, (GLenum source, GLenum type, GLenum severity, GLsizei count, \
      const GLuint *ids, GLboolean enabled), (source, type, severity, count, ids, enabled)) \
    X(OPTIONAL, void, glDebugMessageCallback, (GLDEBUGPROC callback, const void *userParam), (callback, userParam)) \
    X(OPTIONAL, GLuint, glGetDebugMessageLog, (GLuint count, GLsizei bufSize, GLenum *sources, GLenum \
      *types, GLuint *ids, GLenum *severities, GLsizei *lengths, GLchar *messageLog), (count, bufSize, \
      sources, types, ids, severities, lengths, messageLog)) \
    X(OPTIONAL, void, glDrawElementsBaseVertex, (GLenum mode, GLsizei count, GLenum type, const void \
      *indices, GLint basevertex), (mode, count, type, indices, basevertex)) \
    X(OPTIONAL, void, glDrawElementsInstancedBaseVertex, (GLenum mode, GLsizei count, GLenum type, const \
      void *indices, GLsizei instancecount, GLint basevertex), (mode, count, type, indices, instancecount, \
      basevertex))

#ifdef __cplusplus
extern "C" {
#endif

#define WM_FIELD(need, result, name, parameters, arguments) result(GL_APIENTRY *name) parameters;
/// The functions as loaded. Written once, by wm_load, and only read after it.
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

#ifdef __cplusplus
}
#endif
