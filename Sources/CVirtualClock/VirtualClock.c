#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

__thread long long squall_virtual_nanoseconds = -1;
__thread long long squall_wall_clock_ahead = 0;
__thread void *squall_simulation = 0;
__thread int squall_is_deaf = 0;

#if defined(__linux__)
#include <sys/syscall.h>

static int is_virtual(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
        return squall_virtual_nanoseconds >= 0;
    default:
        return 0;
    }
}

// For clocks that setting the device's clock changes.
static int tells_day(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

// Work takes no virtual time, so a world's clocks of processor time show that none was used: the
// machine's would differ from run to run.
static int counts_work(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

/// Called before a simulation's code reads the time; null when unused. Code that can interrupt the
/// simulation sets it.
void (*squall_clock_read)(void) = 0;

// Interposes libc's function for the whole process; threads that run no simulation see no change.
// A plain system call serves them, so nothing has to be looked up before libc is ready.
int clock_gettime(clockid_t clock, struct timespec *time) {
    if (squall_virtual_nanoseconds >= 0 && counts_work(clock)) {
        *time = (struct timespec){0, 0};
        return 0;
    }
    if (!is_virtual(clock)) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    if (squall_clock_read) squall_clock_read();
    long long now = tells_day(clock) ? squall_day_clock() : squall_virtual_nanoseconds;
    // Rounded down: before 1970 the nanoseconds count up as well.
    long long behind = now < 0 ? 999999999LL : 0;
    time->tv_sec = (now - behind) / 1000000000LL;
    time->tv_nsec = now - time->tv_sec * 1000000000LL;
    return 0;
}

// libc's own versions of these do not call its replaced clock_gettime.

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) {
        *place = now.tv_sec;
    }
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    if (zone) {
        *(struct timezone *)zone = (struct timezone){0, 0};
    }
    return 0;
}

int timespec_get(struct timespec *time, int base) {
    if (base != TIME_UTC) {
        return 0;
    }
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}

int getrusage(int who, struct rusage *usage) {
    int result = (int)syscall(SYS_getrusage, who, usage);
    if (result == 0 && squall_virtual_nanoseconds >= 0) {
        usage->ru_utime = usage->ru_stime = (struct timeval){0, 0};
    }
    return result;
}

clock_t clock(void) {
    if (squall_virtual_nanoseconds >= 0) {
        return 0;
    }
    struct timespec used;
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000LL / CLOCKS_PER_SEC);
}

clock_t times(struct tms *spent) {
    if (squall_virtual_nanoseconds < 0) {
        return syscall(SYS_times, spent);
    }
    if (spent) {
        *spent = (struct tms){0};
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 100 + now.tv_nsec / 10000000;
}
#endif

#if defined(__linux__)
static int ask_system(clockid_t clock, struct timespec *time) {
    return (int)syscall(SYS_clock_gettime, clock, time);
}
#endif

long long squall_real_nanoseconds(void) {
    struct timespec time;
#if defined(__linux__)
    // The C library's own function makes no system call; a static program has none but ours.
    typedef int reader(clockid_t, struct timespec *);
    static reader *real;
    reader *found = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (!found) {
        found = (reader *)dlsym(RTLD_NEXT, "clock_gettime");
        if (!found) found = ask_system;
        __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    }
    found(CLOCK_MONOTONIC_RAW, &time);
#else
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
#endif
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void squall_sleep_real(long long nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
#if defined(__linux__)
    syscall(SYS_nanosleep, &time, (void *)0);
#else
    nanosleep(&time, 0);
#endif
}

void squall_thread_name(char *name, unsigned long size) {
    if (pthread_getname_np(pthread_self(), name, size) != 0) {
        name[0] = 0;
    }
}

static void (*hears_of_threads)(void) = 0;

void squall_hear_of_threads(void (*heard)(void)) {
    __atomic_store_n(&hears_of_threads, heard, __ATOMIC_RELEASE);
}

void squall_thread_was_started(void) {
    void (*heard)(void) = __atomic_load_n(&hears_of_threads, __ATOMIC_ACQUIRE);
    if (heard && squall_simulation) {
        heard();
    }
}

void squall_forbid_stopping(const char *function) {
    if (!squall_simulation) {
        return;
    }
    dprintf(
        STDERR_FILENO,
        "%s was called in a load run. It stops the thread, on which everything happens there, and"
        " virtual time with it. Use Task.sleep.\n",
        function);
    __builtin_trap();
}
