#define _GNU_SOURCE
#include "CWaymarkProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
            abort(); \
        } \
    } while (0)

static void close_all(const wm_process *process) {
    close(process->input);
    close(process->output);
    close(process->error);
}

// Everything until the end.
static size_t read_all(int descriptor, char *text, size_t room) {
    size_t count = 0;
    while (1) {
        struct pollfd waited = {descriptor, POLLIN, 0};
        poll(&waited, 1, -1);
        ssize_t result = read(descriptor, text + count, room - 1 - count);
        if (result == 0) break;
        if (result > 0) count += (size_t)result;
        else CHECK(errno == EAGAIN || errno == EINTR);
    }
    text[count] = 0;
    return count;
}

static int start(const char *script, int kept, wm_process *process) {
    char *arguments[] = {"sh", "-c", (char *)script, NULL};
    char *environment[] = {"PATH=/usr/bin:/bin", "WORD=heard", NULL};
    return wm_process_start("/bin/sh", arguments, environment, kept, process);
}

// Beyond 3, only descriptors with which this program itself was started.
static int inherited = 0;

static void speaks(void) {
    wm_process process;
    char text[256];
    CHECK(start("read line; echo \"$line $WORD\"; echo words >&2; exit 7", -1, &process) == 0);
    CHECK(write(process.input, "hello\n", 6) == 6);
    CHECK(read_all(process.output, text, sizeof text) > 0 && strcmp(text, "hello heard\n") == 0);
    CHECK(read_all(process.error, text, sizeof text) > 0 && strcmp(text, "words\n") == 0);
    CHECK(wm_process_wait(process.pid) == 7);
    close_all(&process);
}

static void is_killed(void) {
    wm_process process;
    // No shell, which handles signals regardless of its initial mask.
    char *arguments[] = {"sleep", "100", NULL}, *environment[] = {NULL};
    CHECK(wm_process_start("/bin/sleep", arguments, environment, -1, &process) == 0);
    // A terminal's signals are handled by its parent.
    kill(process.pid, SIGINT);
    kill(process.pid, SIGTERM);
    CHECK(waitpid(process.pid, NULL, WNOHANG) == 0);
    kill(process.pid, SIGKILL);
    CHECK(wm_process_wait(process.pid) == -SIGKILL);
    close_all(&process);
}

static void keeps(void) {
    // mkostemp replaces the six letters X.
    char name[] = "/tmp/waymark-kept-XXXXXX", text[256];
    int kept = mkostemp(name, O_CLOEXEC);
    CHECK(kept >= 0);
    unlink(name);
    wm_process process;
    CHECK(start("echo kept >&3; ls /proc/self/fd | wc -l", kept, &process) == 0);
    // 0, 1, 2, 3, the folder that ls reads, and none of ours.
    CHECK(read_all(process.output, text, sizeof text) > 0 && atoi(text) == 5 + inherited);
    CHECK(wm_process_wait(process.pid) == 0);
    CHECK(pread(kept, text, 5, 0) == 5 && memcmp(text, "kept\n", 5) == 0);
    close_all(&process);
    close(kept);
}

static int open_count(void) {
    int count = 0;
    for (int number = 0; number < 256; number++) count += fcntl(number, F_GETFD) >= 0;
    return count;
}

static void fails(void) {
    wm_process process;
    char *arguments[] = {"nothing", NULL}, *environment[] = {NULL};
    int before = open_count();
    CHECK(wm_process_start("/nowhere/nothing", arguments, environment, -1, &process) == ENOENT);
    CHECK(wm_process_start("/tmp", arguments, environment, -1, &process) == EACCES);
    CHECK(start("exit 0", 250, &process) == EBADF);
    struct rlimit limit, low;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    low = limit;
    for (low.rlim_cur = 0; low.rlim_cur < 18; low.rlim_cur++) {
        setrlimit(RLIMIT_NOFILE, &low);
        int code = start("exit 0", -1, &process);
        setrlimit(RLIMIT_NOFILE, &limit);
        if (code == 0) {
            CHECK(wm_process_wait(process.pid) == 0);
            close_all(&process);
        } else {
            CHECK(code == EMFILE || code == EINVAL);
        }
        CHECK(open_count() == before);
    }
}

// If a parent is killed, the processes it has started die, too.
static void dies_with_its_parent(void) {
    int told[2];
    CHECK(pipe(told) == 0);
    pid_t parent = fork();
    CHECK(parent >= 0);
    if (parent == 0) {
        wm_process process;
        if (start("sleep 100", -1, &process) != 0) _exit(1);
        if (write(told[1], &process.pid, sizeof process.pid) < 0) _exit(1);
        pause();
    }
    pid_t child;
    CHECK(read(told[0], &child, sizeof child) == sizeof child);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    char path[64], state[256];
    snprintf(path, sizeof path, "/proc/%d/stat", child);
    for (int round = 0;; round++) {
        FILE *file = fopen(path, "r");
        int is_there = file != NULL && fgets(state, sizeof state, file) != NULL && strstr(state, ") Z") == NULL;
        if (file != NULL) fclose(file);
        if (!is_there) break;
        CHECK(round < 5000);
        usleep(1000);
    }
    close(told[0]);
    close(told[1]);
}

static void hears_signals(void) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        signal(SIGHUP, SIG_IGN);
        int descriptor = wm_signals_open();
        CHECK(descriptor >= 0);
        CHECK(wm_signals_next(descriptor) == 0);
        kill(getpid(), SIGTERM);
        kill(getpid(), SIGHUP);
        CHECK(wm_signals_next(descriptor) == SIGTERM);
        CHECK(wm_signals_next(descriptor) == 0);
        close(descriptor);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// The helper's work: the first byte of a request selects it.
static size_t help(const uint8_t *request, size_t count, uint8_t *reply, size_t room) {
    switch (count > 0 ? request[0] : 0) {
    case 'c': abort();
    case 'x': _exit(0);
    case 'l': while (1) {}
    case 's': sleep(100); return 0;
    // Writes too much, and to the wrong place.
    case 'w':
        for (int number = 0; number < 64; number++) {
            if (write(number, "garbage", 7) < 0) continue;
        }
        break;
    case 'b': return room + 1;
    }
    size_t most = count < room ? count : room;
    memcpy(reply, request, most);
    return most;
}

static void nothing(void) {}

static const wm_work_limits limits = {1, 3, (uint64_t)1 << 30};

static void start_helper(wm_process *process) {
    char *arguments[] = {"helper", "helper", NULL}, *environment[] = {NULL};
    char hello[WM_HELPER_HELLO + 1];
    CHECK(wm_process_start("/proc/self/exe", arguments, environment, -1, process) == 0);
    fcntl(process->input, F_SETFL, 0);
    fcntl(process->output, F_SETFL, 0);
    CHECK(read(process->output, hello, WM_HELPER_HELLO) == WM_HELPER_HELLO && strcmp(hello, "hello") == 0);
}

static void ask(const wm_process *process, const char *request, wm_work_end end) {
    uint8_t bytes[64];
    wm_helper_request size = {strlen(request), sizeof bytes, 1 << 20};
    wm_helper_reply reply;
    CHECK(write(process->input, &size, sizeof size) == sizeof size);
    CHECK(write(process->input, request, size.count) == (ssize_t)size.count);
    CHECK(read(process->output, &reply, sizeof reply) == sizeof reply);
    CHECK(reply.end == end && reply.count == (end == WM_WORK_DONE ? size.count : 0));
    if (reply.count > 0) CHECK(read(process->output, bytes, reply.count) == (ssize_t)size.count && memcmp(bytes, request, size.count) == 0);
}

static void helps(void) {
    wm_process process;
    start_helper(&process);
    const char *crashes[] = {"crash", "x", "b"};
    for (int index = 0; index < 3; index++) {
        ask(&process, "echo", WM_WORK_DONE);
        ask(&process, crashes[index], WM_WORK_CRASHED);
        ask(&process, "write", WM_WORK_DONE);
    }
    ask(&process, "", WM_WORK_DONE);
    close(process.input);
    CHECK(wm_process_wait(process.pid) == 0);
    close(process.output);
    close(process.error);
}

// Exceeds its processor time or its deadline, or its parent ends meanwhile.
static void helps_in_time(void) {
    wm_process process;
    start_helper(&process);
    ask(&process, "loop", WM_WORK_TOO_LONG);
    ask(&process, "sleep", WM_WORK_TOO_LONG);
    ask(&process, "echo", WM_WORK_DONE);
    wm_helper_request size = {1, 0, 1 << 20};
    CHECK(write(process.input, &size, sizeof size) == sizeof size && write(process.input, "s", 1) == 1);
    close(process.input);
    CHECK(wm_process_wait(process.pid) == 0);
    close(process.output);
    close(process.error);
}

static size_t doze(const uint8_t *request, size_t count, uint8_t *reply, size_t room) {
    usleep(100000);
    return help(request, count, reply, room);
}

static void works_on_a_thread(void) {
    uint8_t reply[16];
    size_t count = 0;
    const uint8_t *request = (const uint8_t *)"echo";
    CHECK(wm_work_on_thread(help, limits, request, 4, reply, sizeof reply, 1 << 20, &count) == WM_WORK_DONE);
    CHECK(count == 4 && memcmp(reply, "echo", 4) == 0);
    CHECK(wm_work_on_thread(help, limits, request, 4, reply, 2, 1 << 20, &count) == WM_WORK_DONE && count == 2);
    const wm_work_limits hurried = {1, 0.001, 0};
    CHECK(wm_work_on_thread(doze, hurried, request, 4, reply, sizeof reply, 1 << 20, &count) == WM_WORK_TOO_LONG);
}

// Writing to a process that has ended raises no signal, and does not remove one that was pending before.
static void writes_to_nobody(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(wm_pipe_write(ends[1], "x", 1) == 1);
    close(ends[0]);
    signal(SIGPIPE, SIG_DFL);
    CHECK(wm_pipe_write(ends[1], "x", 1) == -1 && errno == EPIPE);
    signal(SIGPIPE, SIG_IGN);
    close(ends[1]);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "helper") == 0) return wm_helper_serve("hello", nothing, help, limits);
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    signal(SIGPIPE, SIG_IGN);
    for (int number = 4; number < 256; number++) inherited += fcntl(number, F_GETFD) == 0;
    for (int round = 0; round < rounds; round++) {
        speaks();
        is_killed();
        keeps();
        dies_with_its_parent();
        hears_signals();
        helps();
        works_on_a_thread();
        writes_to_nobody();
    }
    helps_in_time();
    fails();
    // The last threads that nobody waits for.
    usleep(200000);
    printf("%d rounds of processes\n", rounds);
    return 0;
}
