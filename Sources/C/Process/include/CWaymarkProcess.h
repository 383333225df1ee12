// CWaymarkProcess: child processes with pipes, and work that is confined to a process or bounded in time.
//
// In C because code between fork and exec must be async-signal-safe, which Swift is not; and posix_spawn cannot request a signal at the
// parent's death. Neither can swift-subprocess (1.0.2 has no hook before exec on Linux).
#ifndef CWAYMARK_PROCESS_H
#define CWAYMARK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A started program, with the parent's ends of its pipes, which are non-blocking and closed by exec.
typedef struct wm_process {
    pid_t pid;
    /// Writes to its standard input.
    int input;
    /// Read from its standard output and standard error.
    int output;
    int error;
} wm_process;

/// Starts a program. SIGINT, SIGTERM and SIGHUP are blocked in it, since its parent handles them, and SIGPIPE has its default action. It
/// inherits only the three standard descriptors, `kept`, and descriptors without a close-on-exec flag. It is killed when the calling thread
/// ends.
///
/// - `path`: the file of the program; no search.
/// - `arguments`, `environment`: NULL-terminated.
/// - `kept`: a descriptor that it inherits as number 3; -1 for none.
///
/// Returns 0, or the errno of the step that failed, exec included; in that case no process remains.
int wm_process_start(
    const char *path, char *const arguments[], char *const environment[], int kept, wm_process *started);

/// Waits for a program that was killed or has closed its pipes. Returns the exit code, 0 to 255, or the negative number of the signal that
/// ended it.
int wm_process_wait(pid_t pid);

/// Writes to a pipe. If its other end is closed, this fails with EPIPE and raises no SIGPIPE. Returns the number of bytes, or -1. In C,
/// like all signal handling, because Swift's Glibc module imports signal sets only as opaque structures.
ssize_t wm_pipe_write(int descriptor, const void *bytes, size_t count);

/// The number of unread bytes in a pipe, queried at either end, also after the other end was closed; -1 for a descriptor that is not a
/// pipe. In C because Swift has no variadic functions.
int wm_pipe_unread(int descriptor);

/// Queues SIGINT, SIGTERM and SIGHUP in a non-blocking descriptor so that they do not end the program, except signals that are ignored, as
/// after nohup or in the background of a script. Returns the descriptor, or -1, in which case nothing has changed. In C because Swift's
/// Glibc module lacks signalfd.
int wm_signals_open(void);

/// The next signal in the queue; 0 when it is empty.
int wm_signals_next(int descriptor);

/// Opens a non-blocking descriptor that can be read once 8 bytes, a number other than 0, were written to it, until they are read. Returns
/// -1 on failure. In C because Swift's Glibc module lacks eventfd.
int wm_alarm_open(void);

/// Work that may crash or never end: it reads a request and writes a reply of at most `room` bytes, zeroed before. Returns the length of
/// the reply. It is called on a thread with a large stack, of the process or of another one, and must not be Swift.
typedef size_t (*wm_work)(const uint8_t *request, size_t count, uint8_t *reply, size_t room);

/// The bounds of one piece of work.
typedef struct wm_work_limits {
    /// Processor time.
    double processor_seconds;
    /// Elapsed time; more than the processor time, to allow for a busy machine.
    double seconds;
    /// Bytes of address space in addition to the stack; used only in a separate process.
    uint64_t memory;
} wm_work_limits;

/// How work ended.
typedef enum wm_work_end {
    WM_WORK_DONE,
    /// It exceeded its processor time or its deadline, or the system killed it because memory ran out.
    WM_WORK_TOO_LONG,
    WM_WORK_CRASHED,
    /// The system refused memory, a thread or a process.
    WM_WORK_NO_RESOURCES,
} wm_work_end;

/// Precedes a request to a helper. Both sides have the same machine and version, so structures are sent as stored.
typedef struct wm_helper_request {
    /// The bytes of the request that follow.
    uint64_t count;
    /// The longest reply.
    uint64_t room;
    /// The bytes of address space of the stack.
    uint64_t stack;
} wm_helper_request;

/// Precedes a reply of a helper.
typedef struct wm_helper_reply {
    /// A `wm_work_end`.
    uint64_t end;
    /// The bytes of the reply that follow; 0 unless it is done.
    uint64_t count;
} wm_helper_reply;

/// The length of a helper's hello in bytes, filled with zeros.
#define WM_HELPER_HELLO 64

/// Serves requests from standard input on standard output until standard input ends: the body of a helper process. First, `prepare` loads
/// the libraries that all work needs. Each piece of work is done in a separate child with the given limits, so that its crash and its
/// memory do not affect the next piece. A fork without exec is safe here because the process has no other thread. If it has one, the helper
/// sends no hello and serves nothing.
///
/// Returns the exit code of the process.
int wm_helper_serve(const char *hello, void (*prepare)(void), wm_work work, wm_work_limits limits);

/// Does work on a thread of this process, and waits until it is done or has exceeded its limits. A thread cannot be stopped: it continues
/// until the work is done, and the first call after that frees its memory. `reply` is `room` bytes; `replied` is the number of bytes
/// written.
///
/// In C because the thread has a stack larger than the system's default, and outlives the call.
wm_work_end wm_work_on_thread(
    wm_work work, wm_work_limits limits, const uint8_t *request, size_t count, uint8_t *reply, size_t room, size_t stack,
    size_t *replied);

#endif
