#define _GNU_SOURCE
#include "CWaymarkProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT, OUTPUT, ERROR, FAILURE, PIPES };

static void close_both(int pipes[PIPES][2]) {
    for (int index = 0; index < PIPES; index++) {
        for (int end = 0; end < 2; end++) {
            if (pipes[index][end] >= 0) close(pipes[index][end]);
        }
    }
}

// Makes a copy numbered 10 or more, so that replacing descriptors 0 to 3 does not close it.
static int move_up(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 10); }

// Runs in the child, and makes only async-signal-safe calls. Returns only on failure, with the errno.
static int become(
    const char *path, char *const arguments[], char *const environment[], int kept, int pipes[PIPES][2], pid_t parent) {
    // From here on, the parent's end kills this process. The parent may already have ended.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    if (getppid() != parent) return ESRCH;
    int input = move_up(pipes[INPUT][0]), output = move_up(pipes[OUTPUT][1]), error = move_up(pipes[ERROR][1]);
    int failure = move_up(pipes[FAILURE][1]);
    if (input < 0 || output < 0 || error < 0 || failure < 0) return errno;
    pipes[FAILURE][1] = failure;
    int keep = kept < 0 ? -1 : move_up(kept);
    if (kept >= 0 && keep < 0) return errno;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(error, 2) < 0 || (keep >= 0 && dup2(keep, 3) < 0)) return errno;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGPIPE, &standard, NULL);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    if (sigprocmask(SIG_SETMASK, &blocked, NULL) != 0) return errno;
    execve(path, arguments, environment);
    return errno;
}

int wm_process_start(
    const char *path, char *const arguments[], char *const environment[], int kept, wm_process *started) {
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    for (int index = 0; index < PIPES; index++) {
        if (pipe2(pipes[index], O_CLOEXEC) != 0) {
            int code = errno;
            close_both(pipes);
            return code;
        }
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        int code = become(path, arguments, environment, kept, pipes, parent);
        // Four bytes fit in the pipe. If writing fails nevertheless, the exit code is enough.
        if (write(pipes[FAILURE][1], &code, sizeof code) < 0) _exit(126);
        _exit(127);
    }
    int code = pid < 0 ? errno : 0;
    close(pipes[FAILURE][1]);
    pipes[FAILURE][1] = -1;
    if (pid > 0) {
        // A successful exec closes the pipe. An errno in the pipe means that exec failed.
        int told = 0;
        ssize_t count;
        do {
            count = read(pipes[FAILURE][0], &told, sizeof told);
        } while (count < 0 && errno == EINTR);
        if (count == sizeof told) {
            code = told;
            wm_process_wait(pid);
        }
    }
    if (code != 0) {
        close_both(pipes);
        return code;
    }
    close(pipes[FAILURE][0]);
    close(pipes[INPUT][0]);
    close(pipes[OUTPUT][1]);
    close(pipes[ERROR][1]);
    started->pid = pid;
    started->input = pipes[INPUT][1];
    started->output = pipes[OUTPUT][0];
    started->error = pipes[ERROR][0];
    fcntl(started->input, F_SETFL, O_NONBLOCK);
    fcntl(started->output, F_SETFL, O_NONBLOCK);
    fcntl(started->error, F_SETFL, O_NONBLOCK);
    // Large pipes transfer a picture in few pieces. Linux limits the total size of all pipes of a user. Beyond the limit, pipes remain
    // small.
    fcntl(started->output, F_SETPIPE_SZ, 1 << 20);
    return 0;
}

int wm_process_wait(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

ssize_t wm_pipe_write(int descriptor, const void *bytes, size_t count) {
    sigset_t pipe, before, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t result = write(descriptor, bytes, count);
    int code = errno;
    // Removes the signal of this write, but not one that was already pending.
    const struct timespec none = {0, 0};
    if (result < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) sigtimedwait(&pipe, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return result;
}

int wm_pipe_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

int wm_signals_open(void) {
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t heard;
    sigemptyset(&heard);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction action;
        if (sigaction(numbers[index], NULL, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&heard, numbers[index]);
    }
    int descriptor = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor >= 0 && pthread_sigmask(SIG_BLOCK, &heard, NULL) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int wm_signals_next(int descriptor) {
    struct signalfd_siginfo facts;
    return read(descriptor, &facts, sizeof facts) == sizeof facts ? (int)facts.ssi_signo : 0;
}

int wm_alarm_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
