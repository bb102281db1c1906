#pragma once

// The two words a thread carries while it runs a simulation, and the clock that obeys one of them.
//
// While `squall_virtual_nanoseconds` is negative the thread lives in real time. Otherwise every
// clock that measures time of day or elapsed time on this thread reads exactly that value.
// CLOCK_MONOTONIC_RAW and the CPU-time clocks stay real: the engine measures itself with them.

extern __thread long long squall_virtual_nanoseconds;
extern __thread void *squall_simulation;

static inline long long squall_virtual_clock(void) { return squall_virtual_nanoseconds; }
static inline void squall_set_virtual_clock(long long nanoseconds) {
    squall_virtual_nanoseconds = nanoseconds;
}

static inline void *squall_current_simulation(void) { return squall_simulation; }
static inline void squall_set_current_simulation(void *simulation) {
    squall_simulation = simulation;
}

/// Real elapsed nanoseconds, also on a thread whose clocks are virtual.
long long squall_real_nanoseconds(void);

/// Sleeps in real time.
void squall_sleep_real(long long nanoseconds);

/// Copies the calling thread's name, at most `size` bytes with the terminating zero.
void squall_thread_name(char *name, unsigned long size);
