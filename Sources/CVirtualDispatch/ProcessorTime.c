#include "Interposed.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

// Processor time. In a world work takes no time, as `clock` says too; the wall clock's time is in
// CVirtualClock.

INTERPOSED int getrusage(__rusage_who_t who, struct rusage *usage) {
    REAL(int, getrusage, (__rusage_who_t, struct rusage *));
    int result = real(who, usage);
    if (WORLD && result == 0) {
        memset(&usage->ru_utime, 0, sizeof usage->ru_utime);
        memset(&usage->ru_stime, 0, sizeof usage->ru_stime);
    }
    return result;
}

INTERPOSED clock_t times(struct tms *spent) {
    if (WORLD) {
        if (spent) memset(spent, 0, sizeof *spent);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * 100 + now.tv_nsec / 10000000;
    }
    REAL(clock_t, times, (struct tms *));
    return real(spent);
}
