// CWaymarkProcess: child processes with pipes, which die with the thread that started them.
//
// In C because code between fork and exec must be async-signal-safe, which Swift is not; and posix_spawn cannot request a signal at the
// parent's death. Neither can swift-subprocess (1.0.2 has no hook before exec on Linux).
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// A started program: the parent's ends of its pipes, which are non-blocking and closed by exec.
typedef struct wm_process {
    pid_t pid;
    /// Writes to its standard input.
    int input;
    /// Read from its standard output and standard error.
    int output;
    int error;
} wm_process;

/// Starts a program. SIGINT, SIGTERM and SIGHUP are blocked in it, since its parent handles them, and SIGPIPE has its default action. It
/// inherits only the three standard descriptors, `kept`, and what has no close-on-exec flag. It is killed when the calling thread ends.
///
/// - `path`: the file of the program; no search.
/// - `arguments`, `environment`: ended by NULL.
/// - `kept`: a descriptor that it inherits as number 3; -1 for none.
///
/// Returns 0, or the errno of what failed, exec included; then no process remains.
int wm_process_start(
    const char *path, char *const arguments[], char *const environment[], int kept, wm_process *started);

/// Waits for a program that was killed or has closed its pipes. Returns the exit code, 0 to 255, or the negative number of the signal that
/// ended it.
int wm_process_wait(pid_t pid);

/// Queues SIGINT, SIGTERM and SIGHUP in a non-blocking descriptor instead of letting them end the program, except those that are ignored,
/// as after nohup or in the background of a script. Returns the descriptor, or -1, in which case nothing has changed.
/// In C because Swift's Glibc module lacks signalfd.
int wm_signals_open(void);

/// The next signal in the queue; 0 when it is empty.
int wm_signals_next(int descriptor);
