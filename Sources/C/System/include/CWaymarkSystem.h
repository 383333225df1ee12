// Functions that WaymarkSystem needs and Swift's Glibc module lacks.
#ifndef CWAYMARK_SYSTEM_H
#define CWAYMARK_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

/// The number of arguments of the program's main function, and the arguments. They are not changed after the start.
///
/// This is in C because Swift's `CommandLine.arguments` reads /proc/self/cmdline and is empty where that file is missing.
int wm_argument_count(void);
char *const *wm_arguments(void);

/// The number of processors in the affinity mask of the calling thread, or the number of online processors if the mask is unknown.
///
/// This is in C because `sched_getaffinity` is a GNU extension and `CPU_COUNT` a macro, and Swift sees neither of them. Foundation's
/// `activeProcessorCount` ignores the mask.
int wm_processor_count(void);

/// Makes all threads allocate from one heap. Must be called before other threads start.
///
/// In C because Swift's Glibc module does not have <malloc.h>.
void wm_use_one_heap(void);

/// Makes the allocator keep freed blocks of up to 32 MiB each, and up to 128 MiB in total.
///
/// In C because Swift's Glibc module does not have <malloc.h>.
void wm_keep_blocks(void);

/// `malloc_trim`: returns free memory to the system.
///
/// In C because Swift's Glibc module does not have <malloc.h>.
void wm_trim_heap(void);

/// The version of the C library, such as "2.36". The string must not be freed.
///
/// In C because Swift's Glibc module does not have <gnu/libc-version.h>.
const char *wm_libc_version(void);

/// The maximum address space in bytes (`ulimit -v`), and the maximum number of the user's processes and threads (`ulimit -u`); -1 without a
/// limit.
///
/// This is in C because the types of `getrlimit` differ between C libraries.
int64_t wm_address_space_limit(void);
int64_t wm_process_limit(void);

/// Makes a crash end the process with a message on standard error and an exit code if less than half of the address space that `ulimit -v`
/// allows is left. Other crashes are left to the previous handlers. Does nothing without such a limit.
///
/// This is in C because a signal handler must not allocate.
/// - message: At most 255 bytes.
void wm_explain_crashes(const char *message, int code);

/// Whether the process can start one more thread, with a stack of the usual size.
bool wm_can_start_thread(void);

#endif
