#define _GNU_SOURCE
#include "message.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    processor_seconds = 5,
    // More than the processor time, for a busy machine.
    most_milliseconds = 20000,
    most_memory = 1 << 30,
    argb32 = 0,
};

// The declarations of librsvg, cairo and GLib that are needed; all are stable ABI.
typedef struct rectangle {
    double x, y, width, height;
} rectangle;

typedef struct length {
    double value;
    int unit;
} length;

typedef struct error {
    uint32_t domain;
    int code;
    char *message;
} error;

static struct {
    void *(*rsvg_handle_new_from_data)(const uint8_t *, size_t, error **);
    void (*rsvg_handle_set_dpi)(void *, double);
    int (*rsvg_handle_get_intrinsic_size_in_pixels)(void *, double *, double *);
    void (*rsvg_handle_get_intrinsic_dimensions)(void *, int *, length *, int *, length *, int *, rectangle *);
    int (*rsvg_handle_render_document)(void *, void *, const rectangle *, error **);
    void *(*cairo_image_surface_create_for_data)(uint8_t *, int, int, int, int);
    void *(*cairo_create)(void *);
    void (*cairo_scale)(void *, double, double);
    int (*cairo_status)(void *);
    void (*cairo_surface_flush)(void *);
    bool is_loaded;
} library;

static void load_library(void) {
    // Never closed again: GLib's types cannot be unregistered.
    void *file = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (file == NULL) return;
    library.is_loaded = true;
    // Symbols are also looked up in the library's own dependencies, such as cairo.
#define LOAD(name) library.is_loaded &= (*(void **)&library.name = dlsym(file, #name)) != NULL
    LOAD(rsvg_handle_new_from_data);
    LOAD(rsvg_handle_set_dpi);
    LOAD(rsvg_handle_get_intrinsic_size_in_pixels);
    LOAD(rsvg_handle_get_intrinsic_dimensions);
    LOAD(rsvg_handle_render_document);
    LOAD(cairo_image_surface_create_for_data);
    LOAD(cairo_create);
    LOAD(cairo_scale);
    LOAD(cairo_status);
    LOAD(cairo_surface_flush);
#undef LOAD
}

/// The memory shared by parent and child: the request, the result, followed by the pixels.
typedef struct job {
    const uint8_t *bytes;
    size_t count;
    /// 0 to measure only.
    uint32_t width, height;
    double natural_width, natural_height;
    /// Written by the child when it has finished; `WM_SVG_FAILED` until then.
    wm_svg_status status;
    char message[WM_MESSAGE_LENGTH];
    uint8_t *pixels;
} job;

static wm_svg_status refused(job *job, const error *error) {
    set_message(job->message, error == NULL ? "librsvg failed" : error->message);
    return WM_SVG_REFUSED;
}

/// A length in CSS pixels; 0 for percentages and for units relative to a font.
static double css_pixels(length length) {
    static const double pixels[] = {0, 1, 0, 0, 96, 96 / 2.54, 96 / 25.4, 96 / 72.0, 16};
    return (size_t)length.unit < sizeof pixels / sizeof *pixels ? length.value * pixels[length.unit] : 0;
}

static void measure(void *handle, job *job) {
    double *width = &job->natural_width, *height = &job->natural_height;
    if (library.rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height)) return;
    int has_width, has_height, has_box;
    length asked_width, asked_height;
    rectangle box;
    library.rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &asked_width, &has_height, &asked_height, &has_box, &box);
    if (!has_box) box = (rectangle){0, 0, 300, 150};
    // A single side gives the other by the aspect ratio of the viewBox.
    double known_width = has_width ? css_pixels(asked_width) : 0, known_height = has_height ? css_pixels(asked_height) : 0;
    double scale = known_width > 0 ? known_width / box.width : known_height > 0 ? known_height / box.height : 1;
    *width = known_width > 0 ? known_width : box.width * (has_box ? scale : 1);
    *height = known_height > 0 ? known_height : box.height * (has_box ? scale : 1);
}

static wm_svg_status draw(void *handle, job *job) {
    void *surface = library.cairo_image_surface_create_for_data(
        job->pixels, argb32, (int)job->width, (int)job->height, (int)job->width * 4);
    void *context = library.cairo_create(surface);
    library.cairo_scale(context, job->width / job->natural_width, job->height / job->natural_height);
    rectangle viewport = {0, 0, job->natural_width, job->natural_height};
    error *error = NULL;
    if (!library.rsvg_handle_render_document(handle, context, &viewport, &error)) return refused(job, error);
    if (library.cairo_status(context) != 0) return refused(job, NULL);
    library.cairo_surface_flush(surface);
    return WM_SVG_DONE;
}

/// Runs in the child. Nothing is freed, because the process ends.
static wm_svg_status work(job *job) {
    error *error = NULL;
    void *handle = library.rsvg_handle_new_from_data(job->bytes, job->count, &error);
    if (handle == NULL) return refused(job, error);
    library.rsvg_handle_set_dpi(handle, 96);
    if (job->width > 0) return draw(handle, job);
    measure(handle, job);
    return WM_SVG_DONE;
}

static void limit(int resource, rlim_t most) {
    struct rlimit limit = {most, most};
    setrlimit(resource, &limit);
}

/// Restricts the child, and makes its end visible to the parent only.
static void confine(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The host's signal handlers, such as Swift's backtraces, would report a crash as the host's own.
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGXCPU, SIGTERM, SIGINT, SIGPIPE, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    // librsvg and Pango write to standard error.
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, processor_seconds);
    char sizes[64] = "";
    unsigned long pages = 0;
    int file = open("/proc/self/statm", O_RDONLY);
    if (file >= 0 && read(file, sizes, sizeof sizes - 1) > 0 && sscanf(sizes, "%lu", &pages) == 1) {
        limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + most_memory);
    }
}

static long milliseconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/// Waits for the child, and kills it when its time is over. Returns why it ended, or NULL when it ended by itself.
static const char *await(pid_t child) {
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const struct timespec pause = {0, 100000};
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (milliseconds_since(&start) > most_milliseconds) {
            kill(child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
            return "drawing it takes too long";
        }
        nanosleep(&pause, NULL);
    }
    // If the host reaps all children itself, only the job's status is known.
    if (ended < 0 || !WIFSIGNALED(status)) return NULL;
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "drawing it takes too long" : "librsvg crashed on it";
}

/// The body of the thread whose stack the child inherits.
static void *run(void *argument) {
    job *job = argument;
    pid_t child = fork();
    if (child == 0) {
        confine();
        wm_svg_status status = work(job);
        job->status = status;
        _exit(0);
    }
    if (child < 0) {
        job->status = WM_SVG_NO_RESOURCES;
        return NULL;
    }
    const char *reason = await(child);
    if (job->status == WM_SVG_FAILED) set_message(job->message, reason == NULL ? "librsvg failed" : reason);
    return NULL;
}

/// Runs the job in a child process, on a stack of its own, whose lowest page is inaccessible as a guard.
static void run_on_stack(job *job, size_t size) {
    job->status = WM_SVG_NO_RESOURCES;
    uint8_t *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return;
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    pthread_attr_t attributes;
    pthread_t thread;
    if (mprotect(stack, guard, PROT_NONE) == 0 && pthread_attr_init(&attributes) == 0) {
        if (pthread_attr_setstack(&attributes, stack + guard, size - guard) == 0) {
            job->status = WM_SVG_FAILED;
            if (pthread_create(&thread, &attributes, run, job) == 0) {
                pthread_join(thread, NULL);
            } else {
                job->status = WM_SVG_NO_RESOURCES;
            }
        }
        pthread_attr_destroy(&attributes);
    }
    munmap(stack, size);
}

/// Allocates the shared job, followed by the pixels. Returns NULL without memory.
static job *share(const uint8_t *bytes, size_t count, size_t pixels) {
    job *job = mmap(NULL, sizeof *job + pixels, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (job == MAP_FAILED) return NULL;
    job->bytes = bytes;
    job->count = count;
    job->pixels = (uint8_t *)(job + 1);
    return job;
}

static bool is_present(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_library);
    return library.is_loaded;
}

wm_svg_status wm_svg_measure(
    const uint8_t *bytes, size_t count, size_t stack, double *width, double *height, char message[WM_MESSAGE_LENGTH]) {
    if (!is_present()) return WM_SVG_MISSING;
    job *job = share(bytes, count, 0);
    if (job == NULL) return WM_SVG_NO_RESOURCES;
    run_on_stack(job, stack);
    wm_svg_status status = job->status;
    *width = job->natural_width;
    *height = job->natural_height;
    set_message(message, job->message);
    munmap(job, sizeof *job);
    return status;
}

/// cairo's words of alpha, red, green, blue to bytes of red, green, blue, alpha.
static void reorder(const uint8_t *words, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, words + i * 4, 4);
        pixels[i * 4] = (uint8_t)(word >> 16);
        pixels[i * 4 + 1] = (uint8_t)(word >> 8);
        pixels[i * 4 + 2] = (uint8_t)word;
        pixels[i * 4 + 3] = (uint8_t)(word >> 24);
    }
}

wm_svg_status wm_svg_draw(
    const uint8_t *bytes, size_t count, size_t stack, double natural_width, double natural_height, uint32_t width, uint32_t height,
    uint8_t *pixels, char message[WM_MESSAGE_LENGTH]) {
    if (!is_present()) return WM_SVG_MISSING;
    size_t size = (size_t)width * height * 4;
    job *job = share(bytes, count, size);
    if (job == NULL) return WM_SVG_NO_RESOURCES;
    job->width = width;
    job->height = height;
    job->natural_width = natural_width;
    job->natural_height = natural_height;
    run_on_stack(job, stack);
    wm_svg_status status = job->status;
    if (status == WM_SVG_DONE) reorder(job->pixels, pixels, (size_t)width * height);
    set_message(message, job->message);
    munmap(job, sizeof *job + size);
    return status;
}
