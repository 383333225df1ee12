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

// All that comes until the end.
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

// Beyond 3, what this program was itself started with.
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
    // No shell, which hears signals whatever it began with.
    char *arguments[] = {"sleep", "100", NULL}, *environment[] = {NULL};
    CHECK(wm_process_start("/bin/sleep", arguments, environment, -1, &process) == 0);
    // What a terminal sends is its parent's to hear.
    kill(process.pid, SIGINT);
    kill(process.pid, SIGTERM);
    CHECK(waitpid(process.pid, NULL, WNOHANG) == 0);
    kill(process.pid, SIGKILL);
    CHECK(wm_process_wait(process.pid) == -SIGKILL);
    close_all(&process);
}

static void keeps(void) {
    char name[] = "/tmp/waymark-kept-XXXXXX", text[256];
    int kept = mkostemp(name, O_CLOEXEC);
    CHECK(kept >= 0);
    unlink(name);
    wm_process process;
    CHECK(start("echo kept >&3; ls /proc/self/fd | wc -l", kept, &process) == 0);
    // 0, 1, 2, 3, the folder that ls reads, and nothing of ours.
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

// A parent that is killed takes what it has started along.
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

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    signal(SIGPIPE, SIG_IGN);
    for (int number = 4; number < 256; number++) inherited += fcntl(number, F_GETFD) == 0;
    for (int round = 0; round < rounds; round++) {
        speaks();
        is_killed();
        keeps();
        dies_with_its_parent();
        hears_signals();
    }
    fails();
    printf("%d rounds of processes\n", rounds);
    return 0;
}
