// Loading EGL and OpenGL ES, and a few constants and values that Swift cannot import.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "wm_functions.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What wm_load found.
typedef enum wm_load_status {
    /// Every required function is in the table.
    WM_LOAD_OK = 0,
    /// The EGL library could not be opened; the detail is the loader's message.
    WM_LOAD_NO_LIBRARY = 1,
    /// A required function is absent; the detail is its name.
    WM_LOAD_NO_FUNCTION = 2,
} wm_load_status;

/// Opens libEGL.so.1 (or the file that WAYMARK_EGL_LIBRARY names) once for the process and fills the function table.
/// Later calls return the first result. In C because the table holds C function pointers with the platform's convention.
wm_load_status wm_load(void);

/// The loader's message or the name of the absent function after a failed wm_load, else the empty string. Never NULL.
const char *wm_load_detail(void);

/// The file name asked for: libEGL.so.1 or the value of WAYMARK_EGL_LIBRARY. Never NULL.
const char *wm_load_requested(void);

/// Where the loaded EGL library lies, or the empty string. Never NULL.
const char *wm_load_path(void);

/// Asks EGL_KHR_debug, where there is one, to keep the driver's messages for wm_take_driver_log instead of losing them.
/// In C because the driver calls back on any thread.
void wm_keep_driver_log(void);

/// Copies the driver's messages kept since the last call (at most size - 1 bytes, ended by a zero) and forgets them.
/// Returns how many bytes were copied.
size_t wm_take_driver_log(char *text, size_t size);

/// The process's environment, NULL at its end. In C because Swift 6 refuses the global variable `environ`.
char **wm_environment(void);

/// How many processors this process is scheduled on, at least 1. In C because Swift's Glibc does not show sched_getaffinity.
int wm_processor_count(void);

/// Opens a shared library and closes it again; NULL when that worked, else the loader's message (valid until the next call on
/// this thread). In C so that only this target knows dlopen.
const char *wm_library_error(const char *file);

// Constants behind casts, which Swift does not import.
static inline EGLContext wm_no_context(void) { return EGL_NO_CONTEXT; }
static inline EGLDisplay wm_no_display(void) { return EGL_NO_DISPLAY; }
static inline EGLSurface wm_no_surface(void) { return EGL_NO_SURFACE; }
static inline EGLConfig wm_no_config(void) { return EGL_NO_CONFIG_KHR; }
static inline EGLDeviceEXT wm_no_device(void) { return EGL_NO_DEVICE_EXT; }

/// A byte offset into the bound buffer in the form glVertexAttribPointer and glDrawElements take it.
static inline const void *wm_offset(size_t offset) { return (const void *)offset; }

#ifdef __cplusplus
}
#endif
