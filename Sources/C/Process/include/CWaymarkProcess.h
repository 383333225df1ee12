// CWaymarkProcess: a program started with pipes, which dies with the thread that started it.
//
// Swift cannot do it: what happens between fork and exec may only be what is safe in a signal handler, and posix_spawn, which is, cannot
// ask for the signal of a parent's death. Neither can swift-subprocess (1.0.2 has no hook before exec on Linux).
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// A program that was started: our ends of its pipes, which do not block and are closed by exec.
typedef struct waymark_process {
    pid_t pid;
    /// Written to: its standard input.
    int input;
    /// Read from: its standard output and its standard error.
    int output;
    int error;
} waymark_process;

/// Starts a program. It begins with SIGINT, SIGTERM and SIGHUP blocked, since they are its parent's to hear, with SIGPIPE as by default,
/// and with nothing of its parent's open but the standard three and `kept`, unless exec leaves it open; it is killed when the calling
/// thread ends.
///
/// - `path`: the file of the program; no search.
/// - `arguments`, `environment`: ended by NULL.
/// - `kept`: a descriptor that it is to have open as number 3; -1 for none.
///
/// Returns 0, or the errno of what failed, exec included; then nothing is left behind.
int waymark_process_start(
    const char *path, char *const arguments[], char *const environment[], int kept, waymark_process *started);

/// Waits for a program that has been killed or has closed its pipes: the exit code, 0 to 255, or the negative number of the signal
/// that ended it.
int waymark_process_wait(pid_t pid);

/// Has SIGINT, SIGTERM and SIGHUP wait in a descriptor, which does not block, instead of ending the program; but not those that are
/// ignored, as they are after nohup and in the background of a script. Returns the descriptor, or -1; then nothing has changed.
/// Swift's Glibc knows no signalfd.
int waymark_signals_open(void);

/// The next signal that waits; 0 when there is none.
int waymark_signals_next(int descriptor);
