#include "Interposed.h"

#include <string.h>

// Code that does not wait can be interrupted on a phone wherever it is. Here it can be where it
// shows itself: where it reads a clock or takes a lock of POSIX or Foundation, and where it has
// started a task. What it does between is one step. A lock of `Synchronization.Mutex` that is free
// makes no call, and so is not seen.

static __thread int is_allowed;
/// How many values are being made that are made once, by functions that hold a lock of the system's
/// own meanwhile, for which a thread would really wait.
static __thread int onces;

void squall_allow_preemption(int allowed) { is_allowed = allowed; }

/// Whether a library takes a lock for itself, in whose midst nobody else must run.
static int is_library(const void *caller) {
    Dl_info place;
    if (!caller || !dladdr(caller, &place) || !place.dli_fname) return 0;
    return strstr(place.dli_fname, "libswift") || strstr(place.dli_fname, "libdispatch")
        || strstr(place.dli_fname, "libstdc++") || strstr(place.dli_fname, "libc.so")
        || strstr(place.dli_fname, "libBlocksRuntime");
}

void squall_preempt(const void *caller) {
    if (!is_allowed || onces > 0 || !WORLD || is_library(caller)) return;
    squall_hooks->preempt(WORLD);
}

static void clock_read(void) { squall_preempt(0); }

__attribute__((constructor)) static void hear_clocks(void) { squall_clock_read = clock_read; }

INTERPOSED void swift_once(long *predicate, void (*function)(void *), void *context) {
    REAL(void, swift_once, (long *, void (*)(void *), void *));
    onces++;
    real(predicate, function, context);
    onces--;
}

struct created {
    void *task, *context;
};

typedef __attribute__((swiftcall)) struct created (*create_function)(
    size_t, void *, void *, void *, void *);

__attribute__((swiftcall)) INTERPOSED struct created swift_task_create(
    size_t flags, void *options, void *type, void *function, void *closure) {
    static create_function real;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "swift_task_create");
    struct created created = real(flags, options, type, function, closure);
    squall_preempt(0);
    return created;
}
