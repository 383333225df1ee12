// For sched_getaffinity and CPU_COUNT.
#define _GNU_SOURCE

#include "CWaymarkSystem.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

/// glibc calls constructors with the arguments of main.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int wm_argument_count(void) { return argument_count; }

char *const *wm_arguments(void) { return arguments; }

int wm_processor_count(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) return CPU_COUNT(&mask);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

void wm_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

void wm_keep_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

void wm_trim_heap(void) { malloc_trim(0); }

const char *wm_libc_version(void) { return gnu_get_libc_version(); }

static int64_t limit_of(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (int64_t)limit.rlim_cur : -1;
}

int64_t wm_address_space_limit(void) { return limit_of(RLIMIT_AS); }

int64_t wm_process_limit(void) { return limit_of(RLIMIT_NPROC); }

/// The message that explains a crash. It is written before the handlers are installed, and the handlers only read it.
static struct {
    char message[256];
    int code;
    int64_t limit, page;
    struct sigaction before[NSIG];
} explanation;

/// The bytes of address space in use; 0 if unknown. Makes only calls that are allowed in a signal handler.
static int64_t used_address_space(void) {
    char sizes[64];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t count = read(file, sizes, sizeof sizes);
    close(file);
    int64_t pages = 0;
    for (ssize_t i = 0; i < count && sizes[i] >= '0' && sizes[i] <= '9'; i++) pages = 10 * pages + sizes[i] - '0';
    return pages * explanation.page;
}

static void explain_crash(int number) {
    if (used_address_space() <= explanation.limit / 2) {
        // The signal is raised again, for the previous handler.
        sigaction(number, &explanation.before[number], NULL);
        raise(number);
        return;
    }
    const ssize_t written = write(STDERR_FILENO, explanation.message, strlen(explanation.message));
    (void)written;
    _exit(explanation.code);
}

void wm_explain_crashes(const char *message, int code) {
    // If Swift and LLVM cannot allocate memory, they call `abort` or trap. Libraries that do not check for failures access address 0.
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP};
    explanation.limit = wm_address_space_limit();
    if (explanation.limit < 0) return;
    strncpy(explanation.message, message, sizeof explanation.message - 1);
    explanation.code = code;
    explanation.page = sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_handler = explain_crash, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, &explanation.before[signals[i]]);
}

static void *nothing(void *argument) { return argument; }

bool wm_can_start_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) return false;
    pthread_join(thread, NULL);
    return true;
}
