// Informs ThreadSanitizer of the ordering established by the slow paths of Swift's Mutex. They are in the Synchronization library, which is
// not compiled with the sanitizer: a lock that had to wait would appear unordered. Loaded before that library, and only by this tool.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Synchronization._MutexHandle._lockSlow(UInt32), _tryLockSlow() -> Bool and _unlockSlow()
SWIFT void lock_slow(uint32_t thread, SELF handle) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT _Bool try_lock_slow(SELF handle) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF handle) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF handle) {
    SWIFT void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real(thread, handle);
    __tsan_acquire(handle);
}

SWIFT _Bool try_lock_slow(SELF handle) {
    SWIFT _Bool (*real)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    _Bool is_locked = real(handle);
    if (is_locked) __tsan_acquire(handle);
    return is_locked;
}

SWIFT void unlock_slow(SELF handle) {
    SWIFT void (*real)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(handle);
    real(handle);
}
