#define _GNU_SOURCE
#include "CWaymarkProcess.h"
#include "stack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Larger requests are refused, because they cannot come from this protocol.
static const uint64_t largest = (uint64_t)1 << 32;

/// The memory that the helper shares with the child that does the work: the length of the reply, followed by the reply.
typedef struct shared {
    bool is_done;
    uint64_t count;
    _Alignas(64) uint8_t reply[];
} shared;

static bool read_all(int descriptor, void *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        ssize_t result = read(descriptor, (uint8_t *)bytes + at, count - at);
        if (result == 0 || (result < 0 && errno != EINTR)) return false;
        if (result > 0) at += (size_t)result;
    }
    return true;
}

static bool write_all(int descriptor, const void *bytes, size_t count) {
    for (size_t at = 0; at < count;) {
        ssize_t result = write(descriptor, (const uint8_t *)bytes + at, count - at);
        if (result < 0 && errno != EINTR) return false;
        if (result > 0) at += (size_t)result;
    }
    return true;
}

static bool has_one_thread(void) {
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) return false;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
    closedir(folder);
    return count == 1;
}

static void limit(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_max < most) return;
    limit.rlim_cur = limit.rlim_max = (rlim_t)most;
    setrlimit(resource, &limit);
}

/// The address space in use, in bytes; 0 if unknown.
static uint64_t address_space(void) {
    char sizes[64] = "";
    unsigned long pages = 0;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    bool is_known = read(file, sizes, sizeof sizes - 1) > 0 && sscanf(sizes, "%lu", &pages) == 1;
    close(file);
    return is_known ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/// Restricts the child that does the work.
static void confine(const wm_work_limits *limits) {
    // The helper reports a crash, so other handlers, such as Swift's backtraces, are removed.
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGXCPU, SIGPIPE, SIGALRM, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (uint64_t)limits->processor_seconds);
    uint64_t used = address_space();
    if (used > 0) limit(RLIMIT_AS, used + limits->memory);
}

typedef struct task {
    wm_work work;
    const uint8_t *request;
    const wm_helper_request *size;
    shared *shared;
} task;

static void *run(void *argument) {
    task *task = argument;
    task->shared->count = task->work(task->request, task->size->count, task->shared->reply, task->size->room);
    task->shared->is_done = true;
    return NULL;
}

/// The body of the child. It frees nothing, because the process ends.
static _Noreturn void work_alone(task *task, const wm_work_limits *limits, pid_t helper) {
    enum { no_resources = 2 };
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != helper) _exit(no_resources);
    stack stack;
    pthread_t thread;
    if (!make_stack(&stack, task->size->stack)) _exit(no_resources);
    confine(limits);
    if (!start_on_stack(&thread, &stack, run, task)) _exit(no_resources);
    pthread_join(thread, NULL);
    _exit(0);
}

/// Waits for the child, whose end closes `alive`. Kills the child when its time has run out or the helper's parent has ended.
static wm_work_end await(pid_t child, int alive, int input, double seconds) {
    struct timespec start = now();
    // No events are requested for the input, so that only its end is reported.
    struct pollfd waited[] = {{alive, POLLIN, 0}, {input, 0, 0}};
    bool is_late = false;
    while (waited[0].revents == 0) {
        double left = seconds - seconds_since(start);
        if (left <= 0) is_late = true;
        if (is_late) break;
        if (poll(waited, 2, (int)(left * 1000) + 1) < 0 && errno != EINTR) break;
        if (waited[1].revents != 0) _exit(0);
    }
    if (is_late) kill(child, SIGKILL);
    int status = 0;
    pid_t ended;
    // A child that closes its descriptors without ending is killed, too.
    const struct timespec pause = {0, 50000};
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (!is_late && seconds_since(start) > seconds) {
            is_late = true;
            kill(child, SIGKILL);
        }
        if (ended == 0) nanosleep(&pause, NULL);
    }
    if (is_late) return WM_WORK_TOO_LONG;
    if (ended < 0) return WM_WORK_CRASHED;
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? WM_WORK_DONE : WEXITSTATUS(status) == 2 ? WM_WORK_NO_RESOURCES : WM_WORK_CRASHED;
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? WM_WORK_TOO_LONG : WM_WORK_CRASHED;
}

static wm_work_end perform(task *task, const wm_work_limits *limits, int input, int output) {
    int alive[2];
    if (pipe2(alive, O_CLOEXEC) != 0) return WM_WORK_NO_RESOURCES;
    pid_t helper = getpid();
    pid_t child = fork();
    if (child == 0) {
        // Output that the child writes there would be mistaken for the helper's output.
        close(output);
        close(input);
        close(alive[0]);
        work_alone(task, limits, helper);
    }
    close(alive[1]);
    wm_work_end end = child < 0 ? WM_WORK_NO_RESOURCES : await(child, alive[0], input, limits->seconds);
    close(alive[0]);
    // The work may also have ended its process by itself.
    if (end == WM_WORK_DONE && (!task->shared->is_done || task->shared->count > task->size->room)) end = WM_WORK_CRASHED;
    return end;
}

static void *memory(size_t count, int flags) {
    void *bytes = mmap(NULL, count, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/// Answers one request. Returns false after the last request.
static bool answer(int input, int output, wm_work work, const wm_work_limits *limits) {
    wm_helper_request size;
    if (!read_all(input, &size, sizeof size) || size.count > largest || size.room > largest || size.stack > largest) return false;
    // The mapping has at least one byte, because an empty mapping is not possible.
    uint8_t *request = memory(size.count + 1, MAP_PRIVATE);
    if (request == NULL || !read_all(input, request, size.count)) return false;
    shared *shared = memory(sizeof *shared + size.room, MAP_SHARED);
    wm_helper_reply reply = {WM_WORK_NO_RESOURCES, 0};
    if (shared != NULL) {
        task task = {work, request, &size, shared};
        reply.end = perform(&task, limits, input, output);
        if (reply.end == WM_WORK_DONE) reply.count = shared->count;
    }
    bool is_sent = write_all(output, &reply, sizeof reply) && (reply.count == 0 || write_all(output, shared->reply, reply.count));
    if (shared != NULL) munmap(shared, sizeof *shared + size.room);
    munmap(request, size.count + 1);
    return is_sent;
}

int wm_helper_serve(const char *hello, void (*prepare)(void), wm_work work, wm_work_limits limits) {
    enum { ended = 0, refused = 70 };
    // The helper runs until its input ends. The thread that started it may end before its process, and this must not end the helper.
    if (prctl(PR_SET_PDEATHSIG, 0) != 0) return refused;
    int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (input < 0 || output < 0 || null < 0) return refused;
    // Libraries write to standard output and standard error.
    for (int number = 0; number <= STDERR_FILENO; number++) {
        if (dup2(null, number) < 0) return refused;
    }
    prepare();
    if (!has_one_thread()) return refused;
    char text[WM_HELPER_HELLO] = "";
    memcpy(text, hello, strnlen(hello, sizeof text - 1));
    if (!write_all(output, text, sizeof text)) return refused;
    while (answer(input, output, work, &limits)) {}
    return ended;
}
