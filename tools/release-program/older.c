// Functions that only newer versions of the C library have, for the program that tools/release and the library that tools/library link:
// expat and libstdc++ ask for random numbers (glibc 2.36), and hypot has a newer version (2.35), which differs only in how it reports errors.
// All are hidden, so that no library of the process takes them for its own.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void arc4random_buf(void *bytes, size_t count);
HIDDEN uint32_t arc4random(void);

void arc4random_buf(void *bytes, size_t count) {
    unsigned char *next = bytes;
    while (count > 0) {
        // Larger requests may be interrupted.
        const ssize_t got = getrandom(next, count < 256 ? count : 256, 0);
        if (got > 0) {
            next += got;
            count -= (size_t)got;
        } else if (errno != EINTR) {
            // glibc's function does not fail either: nothing may continue without random numbers.
            abort();
        }
    }
}

uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

// The first version of the C library for the architecture, whose symbols all versions have.
#if defined(__x86_64__)
#define BASE_GLIBC "2.2.5"
#elif defined(__aarch64__)
#define BASE_GLIBC "2.17"
#else
// Here, these functions stay those of the build machine.
#endif

#ifdef BASE_GLIBC
double older_hypot(double x, double y);
float older_hypotf(float x, float y);
__asm__(".symver older_hypot,hypot@GLIBC_" BASE_GLIBC);
__asm__(".symver older_hypotf,hypotf@GLIBC_" BASE_GLIBC);

HIDDEN double hypot(double x, double y);
HIDDEN float hypotf(float x, float y);

double hypot(double x, double y) { return older_hypot(x, y); }

float hypotf(float x, float y) { return older_hypotf(x, y); }
#endif
