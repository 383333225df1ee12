#define _GNU_SOURCE
#include "CWaymarkProcess.h"
#include "stack.h"

#include <stdlib.h>
#include <string.h>

/// Work on a thread. The waiting caller frees it or, when its time has run out, leaves it in a list for later calls to free.
typedef struct job {
    wm_work work;
    uint8_t *request;
    size_t count;
    uint8_t *reply;
    size_t room;
    size_t replied;
    stack stack;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_done;
    struct job *next;
} job;

static pthread_mutex_t abandoned_mutex = PTHREAD_MUTEX_INITIALIZER;
static job *abandoned = NULL;

static void *run(void *argument) {
    job *job = argument;
    size_t replied = job->work(job->request, job->count, job->reply, job->room);
    pthread_mutex_lock(&job->mutex);
    job->replied = replied;
    job->is_done = true;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->mutex);
    return NULL;
}

static void release(job *job) {
    if (job->stack.bytes != NULL) munmap(job->stack.bytes, job->stack.count);
    if (job->reply != NULL) munmap(job->reply, job->room + 1);
    free(job->request);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->mutex);
    free(job);
}

static void finish(job *job) {
    pthread_join(job->thread, NULL);
    release(job);
}

static bool is_done(job *job) {
    pthread_mutex_lock(&job->mutex);
    bool is_done = job->is_done;
    pthread_mutex_unlock(&job->mutex);
    return is_done;
}

/// Frees the jobs that earlier calls have left and that are now done.
static void sweep(void) {
    pthread_mutex_lock(&abandoned_mutex);
    for (job **link = &abandoned; *link != NULL;) {
        job *job = *link;
        if (is_done(job)) {
            *link = job->next;
            finish(job);
        } else {
            link = &job->next;
        }
    }
    pthread_mutex_unlock(&abandoned_mutex);
}

static void abandon(job *job) {
    pthread_mutex_lock(&abandoned_mutex);
    job->next = abandoned;
    abandoned = job;
    pthread_mutex_unlock(&abandoned_mutex);
}

/// The remaining time of the job: until the deadline, or until the job may have used up its processor time.
static double time_left(const job *job, const wm_work_limits *limits, struct timespec start) {
    double left = limits->seconds - seconds_since(start);
    clockid_t clock;
    struct timespec used;
    if (pthread_getcpuclockid(job->thread, &clock) == 0 && clock_gettime(clock, &used) == 0) {
        double processor = limits->processor_seconds - (double)used.tv_sec - (double)used.tv_nsec / 1e9;
        if (processor < left) left = processor;
    }
    return left;
}

static bool await(job *job, const wm_work_limits *limits) {
    struct timespec start = now();
    pthread_mutex_lock(&job->mutex);
    while (!job->is_done) {
        double left = time_left(job, limits, start);
        if (left <= 0) break;
        struct timespec until = now();
        double nanoseconds = (double)until.tv_nsec + (left + 0.001) * 1e9;
        until.tv_sec += (time_t)(nanoseconds / 1e9);
        until.tv_nsec = (long)(nanoseconds - (double)(time_t)(nanoseconds / 1e9) * 1e9);
        pthread_cond_timedwait(&job->changed, &job->mutex, &until);
    }
    bool is_done = job->is_done;
    pthread_mutex_unlock(&job->mutex);
    return is_done;
}

/// A job with copies of the input, because the caller may continue before the job is done. NULL if memory runs out.
static job *make_job(wm_work work, const uint8_t *request, size_t count, size_t room, size_t stack) {
    job *job = calloc(1, sizeof *job);
    if (job == NULL) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&job->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&job->mutex, NULL);
    job->work = work;
    job->count = count;
    job->room = room;
    job->request = malloc(count + 1);
    job->reply = mmap(NULL, room + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (job->reply == MAP_FAILED) job->reply = NULL;
    bool has_stack = make_stack(&job->stack, stack);
    if (!has_stack) job->stack.bytes = NULL;
    if (job->request == NULL || job->reply == NULL || !has_stack) {
        release(job);
        return NULL;
    }
    memcpy(job->request, request, count);
    return job;
}

wm_work_end wm_work_on_thread(
    wm_work work, wm_work_limits limits, const uint8_t *request, size_t count, uint8_t *reply, size_t room, size_t stack,
    size_t *replied) {
    sweep();
    job *job = make_job(work, request, count, room, stack);
    if (job == NULL) return WM_WORK_NO_RESOURCES;
    if (!start_on_stack(&job->thread, &job->stack, run, job)) {
        release(job);
        return WM_WORK_NO_RESOURCES;
    }
    if (!await(job, &limits)) {
        abandon(job);
        return WM_WORK_TOO_LONG;
    }
    *replied = job->replied < room ? job->replied : room;
    memcpy(reply, job->reply, *replied);
    finish(job);
    return WM_WORK_DONE;
}
