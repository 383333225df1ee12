// Takes the place of FreeType, HarfBuzz and fontconfig in the program that tools/release links: each library is loaded when one of its
// functions is first called, as EGL is, so that the program starts without it and can say that it is missing. The shim of the text module is
// the same in every build; it asks `wm_lazy_error` where there is one.
//
// tools/release writes tables.h from the symbols that the shim calls: the libraries' files, the functions, and one entry in assembly for
// each, which jumps to its target. Until its library is loaded, a target is the code that loads it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Defines LIBRARY_COUNT, `files`, FUNCTION_COUNT, `functions` and the entries.
#include "tables.h"

extern void *wm_lazy_targets[FUNCTION_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { UNTRIED, LOADED, FAILED } states[LIBRARY_COUNT];
static char messages[LIBRARY_COUNT][512];

/// Never closed: fontconfig and FreeType have their own handlers and caches.
static void load(unsigned library) {
    void *file = dlopen(files[library], RTLD_LAZY | RTLD_LOCAL);
    states[library] = file == NULL ? FAILED : LOADED;
    if (file == NULL) {
        const char *reason = dlerror();
        snprintf(messages[library], sizeof *messages, "%s", reason == NULL ? files[library] : reason);
        return;
    }
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (functions[i].library != library) continue;
        void *target = dlsym(file, functions[i].name);
        if (target == NULL) {
            states[library] = FAILED;
            snprintf(messages[library], sizeof *messages, "%s is too old: it has no %s", files[library], functions[i].name);
            return;
        }
        __atomic_store_n(&wm_lazy_targets[i], target, __ATOMIC_RELEASE);
    }
}

/// Loads a library, by its place in `files`, unless it is loaded. NULL, or why it cannot be used.
const char *wm_lazy_error(unsigned library) {
    pthread_mutex_lock(&lock);
    if (states[library] == UNTRIED) load(library);
    const char *message = states[library] == FAILED ? messages[library] : NULL;
    pthread_mutex_unlock(&lock);
    return message;
}

/// The function at this place of the table, when it is called and its library is not loaded. Whoever can do without the library asks
/// `wm_lazy_error` first.
__attribute__((used)) static void *resolve(unsigned long function) {
    const char *message = wm_lazy_error(functions[function].library);
    if (message != NULL) {
        dprintf(STDERR_FILENO, "error: a library is missing: %s (see waymark doctor)\n", message);
        _exit(69);
    }
    return wm_lazy_targets[function];
}

// Keeps all registers that may hold arguments.
#if defined(__x86_64__)
// The function's number was pushed onto the return address, so the stack is aligned here.
__asm__(
    ".text\n"
    "wm_lazy_enter:\n"
    "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %rax\n"
    "  subq $136, %rsp\n"
    "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
    "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
    "  movq 192(%rsp), %rdi\n"
    "  call resolve\n"
    "  movq %rax, %r11\n"
    "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
    "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
    "  addq $136, %rsp\n"
    "  popq %rax\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n"
    "  addq $8, %rsp\n"
    "  jmp *%r11\n");
#elif defined(__aarch64__)
// The function's number is in w16. x8 may hold the address of a result.
__asm__(
    ".text\n"
    "wm_lazy_enter:\n"
    "  stp x29, x30, [sp, #-224]!\n"
    "  mov x29, sp\n"
    "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n  str x8, [sp, #80]\n"
    "  stp q0, q1, [sp, #96]\n  stp q2, q3, [sp, #128]\n  stp q4, q5, [sp, #160]\n  stp q6, q7, [sp, #192]\n"
    "  mov w0, w16\n"
    "  bl resolve\n"
    "  mov x16, x0\n"
    "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n  ldr x8, [sp, #80]\n"
    "  ldp q0, q1, [sp, #96]\n  ldp q2, q3, [sp, #128]\n  ldp q4, q5, [sp, #160]\n  ldp q6, q7, [sp, #192]\n"
    "  ldp x29, x30, [sp], #224\n"
    "  br x16\n");
#else
#error "there are no entries for this processor; tools/release then links these libraries normally"
#endif
