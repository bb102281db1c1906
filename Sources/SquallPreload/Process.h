#pragma once

// What the files of this library share. All of it is hidden from the program.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "../CSteppedTime/World.h"

#define HIDDEN __attribute__((visibility("hidden")))

/// The function of the C library that has this name.
#define REAL(name)                                                                                \
    ({                                                                                            \
        static __typeof__(&name) found;                                                           \
        __typeof__(&name) real = __atomic_load_n(&found, __ATOMIC_RELAXED);                       \
        if (!real) {                                                                              \
            real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                    \
            __atomic_store_n(&found, real, __ATOMIC_RELAXED);                                     \
        }                                                                                         \
        real;                                                                                     \
    })

/// The world of this process; null where it lives in real time.
HIDDEN struct squall_world *squall_joined(void);

/// The elapsed time of the world.
HIDDEN int64_t squall_now(void);

/// The deadline of a wait for a span: at once for none, never where the sum is beyond all times. It
/// is just after the span: a system wakes nobody early, and a program that waits until its clock
/// shows more than a moment would otherwise ask for ever at that moment.
HIDDEN int64_t squall_after(int64_t span);

/// The deadline of a wait until a moment of a clock; for one that has passed, the shortest wait, in
/// which what asks again and again gets on.
HIDDEN int64_t squall_at(const struct timespec *moment, clockid_t clock);

/// What a clock shows at the world's 0; for the clocks of the day and of elapsed time.
HIDDEN int64_t squall_base(clockid_t clock);
HIDDEN int squall_is_virtual(clockid_t clock);

static inline int64_t squall_nanoseconds(const struct timespec *time) {
    if (time->tv_sec > INT64_MAX / 2000000000) return SQUALL_NEVER / 2;
    return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/// This thread's place in the world's memory.
HIDDEN struct squall_waiter *squall_own_place(void);

/// Says that this thread is about to wait, and that it no longer does.
HIDDEN struct squall_waiter *squall_begin_wait(enum squall_wait wait, int64_t deadline);
HIDDEN void squall_end_wait(struct squall_waiter *place);

/// 1 for a thread that looks after its runtime, by its name, which the runtime gives it only after
/// its first waits.
HIDDEN int squall_is_background(struct squall_waiter *place);

/// 1 where the world has ended a wait by its signal, and has taken note of it.
HIDDEN int squall_was_struck(struct squall_waiter *place);

/// The world's signal.
HIDDEN int squall_signal(void);

/// This thread's mask of signals, or a given one, with the world's signal let through.
HIDDEN sigset_t squall_open_mask(const sigset_t *given);

/// Lets the world's signal through on this thread, or not.
HIDDEN void squall_let_through(int lets);

/// Lets timers of files that are due be ready to be read; called in a handler of signals.
HIDDEN void squall_fire_timers(struct squall_world *world);

/// Waits until a socket whose time for receiving or sending is limited is ready; returns 0 with the
/// error if it has not been in that time.
HIDDEN int squall_is_in_time(int file, int sends, int flags);

/// Lets a connection send each packet at once.
HIDDEN void squall_sends_at_once(int file);

/// The system forgets a file, and with it the limits of a socket.
HIDDEN void squall_forget_limits(int file);

/// Waits until a moment, or a signal of the program's; returns 0 or an error number.
HIDDEN int squall_sleep_until(int64_t deadline);

/// The C library's own `syscall`.
HIDDEN long squall_system(long number, long a, long b, long c, long d, long e, long f);
