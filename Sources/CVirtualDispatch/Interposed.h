#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CVirtualClock.h"
#include "CVirtualDispatch.h"

#include <dlfcn.h>
#include <errno.h>

// Declarations that the files of this target share.

extern __thread void *squall_world_of_thread;
extern const struct squall_dispatch_hooks *squall_hooks;

/// In `CVirtualClock`: called before a simulation's code reads the time.
extern void (*squall_clock_read)(void);

/// Lets other code run before a world's code goes on, where the world and its schedule allow it.
void squall_preempt(const void *caller);

/// What the library of a caller is known for.
enum squall_caller {
    /// It takes locks for itself, and no other code may run during that.
    squall_caller_runtime = 1,
    /// It spins for a word that another thread holds for a moment.
    squall_caller_spins = 2,
};

int squall_caller_is(const void *caller, enum squall_caller wanted);

/// Ends the process with what ran out.
_Noreturn void squall_give_up(const char *reason);

/// The definition of a library's function that a static link may replace.
#define INTERPOSED __attribute__((weak, visibility("default")))

/// The definition of a symbol behind this one, looked up once. Threads may look at the same time:
/// each finds the same.
static inline void *squall_next(void **found, const char *symbol) {
    void *next = __atomic_load_n(found, __ATOMIC_RELAXED);
    if (!next) {
        next = dlsym(RTLD_NEXT, symbol);
        __atomic_store_n(found, next, __ATOMIC_RELAXED);
    }
    return next;
}

/// The function that this file stands in for.
#define REAL(type, name, parameters)                                                               \
    static void *found;                                                                            \
    type(*real) parameters = (type(*) parameters)squall_next(&found, #name)

/// The world whose code calls an interposed function.
#define WORLD (squall_is_deaf ? 0 : squall_world_of_thread)

static inline long long squall_hook_wait(
    const void *key, enum squall_wait_kind kind, long long nanoseconds) {
    return squall_hooks->wait(WORLD, key, kind, nanoseconds);
}
