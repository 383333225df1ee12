// CWaymarkProcess: child processes with pipes, and work that is confined to a process or bounded in time.
//
// This is in C because code between fork and exec must be async-signal-safe, and Swift code is not. posix_spawn and swift-subprocess
// (1.0.2) cannot be used, because they cannot request a signal at the parent's end.
#ifndef CWAYMARK_PROCESS_H
#define CWAYMARK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A started program, with the parent's ends of its pipes, which are non-blocking and closed by exec.
typedef struct wm_process {
    pid_t pid;
    /// Connected to the program's standard input.
    int input;
    /// Connected to the program's standard output and standard error.
    int output;
    int error;
} wm_process;

/// Starts a program. In the program, SIGINT, SIGTERM and SIGHUP are blocked, because its parent handles them, and SIGPIPE has its default
/// action. The program inherits only the three standard descriptors, `kept`, and descriptors without a close-on-exec flag. It is killed
/// when the calling thread ends.
///
/// - `path`: the file of the program, which is not searched for in PATH.
/// - `arguments`, `environment`: NULL-terminated.
/// - `kept`: a descriptor that the program inherits as number 3; -1 for none.
///
/// Returns 0, or the errno of the step that failed, which may be exec. After a failure, no process remains.
int wm_process_start(
    const char *path, char *const arguments[], char *const environment[], int kept, wm_process *started);

/// Waits for a program that was killed or has closed its pipes. Returns the exit code, 0 to 255, or the negative number of the signal that
/// ended it.
int wm_process_wait(pid_t pid);

/// Writes to a pipe. If the other end is closed, this fails with EPIPE and raises no SIGPIPE. Returns the number of bytes, or -1. All
/// signal handling is in C because Swift's Glibc module imports signal sets only as opaque structures.
ssize_t wm_pipe_write(int descriptor, const void *bytes, size_t count);

/// The number of unread bytes in a pipe, queried at either end, also after the other end was closed; -1 for a descriptor that is not a
/// pipe. This is in C because Swift cannot call variadic functions.
int wm_pipe_unread(int descriptor);

/// Queues SIGINT, SIGTERM and SIGHUP in a non-blocking descriptor so that they do not end the program. Signals that are ignored, as after
/// nohup or in the background of a script, remain ignored. Returns the descriptor, or -1 if it failed and nothing has changed. This is in
/// C because Swift's Glibc module lacks signalfd.
int wm_signals_open(void);

/// The next signal in the queue; 0 when it is empty.
int wm_signals_next(int descriptor);

/// Opens a non-blocking descriptor. It is readable from the time when a number other than 0, of 8 bytes, is written to it until the
/// number is read. Returns -1 on failure. This is in C because Swift's Glibc module lacks eventfd.
int wm_alarm_open(void);

/// Work that may crash or never end. It reads a request, and writes a reply of at most `room` bytes, which are zero before. Returns the
/// length of the reply. The function is called on a thread with a large stack, in this or another process, and must not be Swift code.
typedef size_t (*wm_work)(const uint8_t *request, size_t count, uint8_t *reply, size_t room);

/// The bounds of one piece of work.
typedef struct wm_work_limits {
    /// The limit of processor time.
    double processor_seconds;
    /// The limit of elapsed time. It exceeds the limit of processor time, to allow for a busy machine.
    double seconds;
    /// The limit of address space in bytes, in addition to the stack. It applies only in a separate process.
    uint64_t memory;
} wm_work_limits;

/// The result of work.
typedef enum wm_work_end {
    WM_WORK_DONE,
    /// The work exceeded its processor time or its deadline, or the system killed it because memory ran out.
    WM_WORK_TOO_LONG,
    WM_WORK_CRASHED,
    /// The system refused memory, a thread or a process.
    WM_WORK_NO_RESOURCES,
} wm_work_end;

/// Precedes a request to a helper. Both sides have the same machine and version, so structures are sent as stored.
typedef struct wm_helper_request {
    /// The number of bytes of the request, which follows.
    uint64_t count;
    /// The maximum number of bytes of the reply.
    uint64_t room;
    /// The address space of the stack in bytes.
    uint64_t stack;
} wm_helper_request;

/// Precedes a reply of a helper.
typedef struct wm_helper_reply {
    /// A `wm_work_end`.
    uint64_t end;
    /// The number of bytes of the reply, which follows; 0 unless the work is done.
    uint64_t count;
} wm_helper_reply;

/// The length of a helper's hello in bytes, filled with zeros.
#define WM_HELPER_HELLO 64

/// The body of a helper process: reads requests from standard input, and writes replies to standard output, until standard input ends.
/// First, `prepare` loads the libraries that all work needs. Each piece of work is done in a separate child with the given limits, so that
/// its crash and its memory do not affect the next piece. A fork without exec is safe here because the process has no other thread. If the
/// process has other threads, the helper sends no hello and serves nothing.
///
/// Returns the exit code of the process.
int wm_helper_serve(const char *hello, void (*prepare)(void), wm_work work, wm_work_limits limits);

/// Does work on a thread of this process, and waits until it is done or has exceeded its limits. A thread cannot be stopped. It continues
/// until the work is done, and the next call after that frees its memory. `reply` is `room` bytes; `replied` is the number of bytes
/// written.
///
/// This is in C because the thread has a larger stack than the system's default, and may outlive the call.
wm_work_end wm_work_on_thread(
    wm_work work, wm_work_limits limits, const uint8_t *request, size_t count, uint8_t *reply, size_t room, size_t stack,
    size_t *replied);

#endif
