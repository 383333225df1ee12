// For dladdr.
#define _GNU_SOURCE

#include "CWaymarkGLES.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct wm_function_table wm_functions;

static struct {
    wm_load_status status;
    char detail[1024];
    char path[1024];
} load;

typedef __eglMustCastToProperFunctionPointerType any_function;

static any_function symbol(void *library, const char *name) {
    // POSIX guarantees that dlsym's pointer can hold a function; ISO C has no cast for it.
    any_function function = NULL;
    void *address = library ? dlsym(library, name) : NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

static any_function egl_function(void *library, const char *name) {
    any_function function = symbol(library, name);
    if (!function && wm_functions.eglGetProcAddress) function = wm_functions.eglGetProcAddress(name);
    return function;
}

static any_function gl_function(void **library, const char *name) {
    any_function function = wm_functions.eglGetProcAddress(name);
    if (function) return function;
    if (!*library) *library = dlopen("libGLESv2.so.2", RTLD_NOW | RTLD_LOCAL);
    return symbol(*library, name);
}

static void fail(wm_load_status status, const char *detail) {
    if (load.status != WM_LOAD_OK) return;
    load.status = status;
    snprintf(load.detail, sizeof load.detail, "%s", detail ? detail : "no message");
}

enum { REQUIRED = 1, OPTIONAL = 0 };

// The libraries remain open, because drivers keep threads and handlers.
wm_load_status wm_load(const char *library) {
    void *egl = dlopen(library, RTLD_NOW | RTLD_LOCAL), *gles = NULL;
    if (!egl) {
        fail(WM_LOAD_NO_LIBRARY, dlerror());
        return load.status;
    }
#define LOAD_EGL(need, result, name, parameters, arguments)              \
    wm_functions.name = (result(GL_APIENTRY *) parameters)egl_function(egl, #name); \
    if (need == REQUIRED && !wm_functions.name) fail(WM_LOAD_NO_FUNCTION, #name);
    WM_EGL_FUNCTIONS(LOAD_EGL)
    if (load.status != WM_LOAD_OK) return load.status;
#define LOAD_GL(need, result, name, parameters, arguments)                \
    wm_functions.name = (result(GL_APIENTRY *) parameters)gl_function(&gles, #name); \
    if (need == REQUIRED && !wm_functions.name) fail(WM_LOAD_NO_FUNCTION, #name);
    WM_GL_FUNCTIONS(LOAD_GL)
    Dl_info info;
    void *address = NULL;
    memcpy(&address, &wm_functions.eglInitialize, sizeof address);
    if (dladdr(address, &info) && info.dli_fname) snprintf(load.path, sizeof load.path, "%s", info.dli_fname);
    return load.status;
}

const char *wm_load_detail(void) { return load.detail; }
const char *wm_load_path(void) { return load.path; }

static pthread_mutex_t driver_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void wm_lock_driver(void) { pthread_mutex_lock(&driver_lock); }
void wm_unlock_driver(void) { pthread_mutex_unlock(&driver_lock); }

static struct {
    pthread_mutex_t lock;
    size_t used;
    char text[4096];
} driver_log = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void EGLAPIENTRY keep_message(EGLenum error, const char *command, EGLint type, EGLLabelKHR thread, EGLLabelKHR object,
                                     const char *message) {
    (void)error, (void)type, (void)thread, (void)object;
    pthread_mutex_lock(&driver_log.lock);
    const size_t room = sizeof driver_log.text - driver_log.used;
    const int count = snprintf(driver_log.text + driver_log.used, room, "%s%s: %s", driver_log.used ? "\n" : "",
                               command ? command : "EGL", message ? message : "no message");
    // A message that does not fit is dropped, because the first messages name the cause.
    if (count > 0 && (size_t)count < room) driver_log.used += (size_t)count;
    pthread_mutex_unlock(&driver_log.lock);
}

void wm_keep_driver_log(void) {
    static const EGLAttrib kinds[] = {EGL_DEBUG_MSG_CRITICAL_KHR, EGL_TRUE, EGL_DEBUG_MSG_ERROR_KHR, EGL_TRUE,
                                      EGL_DEBUG_MSG_WARN_KHR,     EGL_TRUE, EGL_NONE};
    if (wm_has_eglDebugMessageControlKHR()) wm_eglDebugMessageControlKHR(keep_message, kinds);
}

void wm_take_driver_log(char *text, size_t size) {
    if (size == 0) return;
    pthread_mutex_lock(&driver_log.lock);
    const size_t count = driver_log.used < size - 1 ? driver_log.used : size - 1;
    memcpy(text, driver_log.text, count);
    driver_log.used = 0;
    pthread_mutex_unlock(&driver_log.lock);
    text[count] = 0;
}

const char *wm_library_error(const char *file) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        const char *message = dlerror();
        return message ? message : "no message";
    }
    dlclose(library);
    return NULL;
}
