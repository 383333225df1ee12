// Threads with large stacks, and the clock. Not part of the module.
#ifndef WAYMARK_PROCESS_STACK_H
#define WAYMARK_PROCESS_STACK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/// The address space of a stack, whose lowest page is inaccessible as a guard. Only the used part becomes memory.
typedef struct stack {
    uint8_t *bytes;
    size_t count;
} stack;

static inline bool make_stack(stack *stack, size_t count) {
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    stack->count = (count + 2 * guard - 1) / guard * guard;
    stack->bytes = mmap(NULL, stack->count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack->bytes == MAP_FAILED) return false;
    if (mprotect(stack->bytes, guard, PROT_NONE) == 0) return true;
    munmap(stack->bytes, stack->count);
    return false;
}

static inline bool start_on_stack(pthread_t *thread, const stack *stack, void *(*body)(void *), void *argument) {
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    bool is_started = pthread_attr_setstack(&attributes, stack->bytes + guard, stack->count - guard) == 0
        && pthread_create(thread, &attributes, body, argument) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

static inline struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

static inline double seconds_since(struct timespec start) {
    struct timespec time = now();
    return (double)(time.tv_sec - start.tv_sec) + (double)(time.tv_nsec - start.tv_nsec) / 1e9;
}

#endif
