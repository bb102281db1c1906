#include "Process.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

int64_t squall_now(void) { return atomic_load(&squall_joined()->now); }

/// The shortest wait, which is that of Linux.
static const int64_t least_span = 50000;

int64_t squall_after(int64_t span) {
    int64_t now = squall_now();
    if (span <= 0) return now;
    if (span >= SQUALL_NEVER - 2 - now) return SQUALL_NEVER - 1;
    return now + (span < least_span ? least_span : span + 1);
}

int64_t squall_at(const struct timespec *moment, clockid_t clock) {
    int64_t span = squall_nanoseconds(moment) - squall_base(clock) - squall_now();
    return squall_after(span > 0 ? span : least_span);
}

static int tells_day(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int squall_is_virtual(clockid_t clock) {
    return tells_day(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE
        || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

int64_t squall_base(clockid_t clock) {
    struct squall_world *world = squall_joined();
    return tells_day(clock) ? world->day_base + atomic_load(&world->day_ahead)
                            : world->elapsed_base;
}

/// So many readings of the clock at one moment take no time; of further ones these take the
/// shortest wait each, and as many again a millisecond.
enum { readings_max = 50000, slow_readings = 1000, doublings_max = 8 };

/// How long a reading of the clock takes.
///
/// Computing takes no time, so a program that measures its processor would never come to its end:
/// it reads the clock until a moment has passed, or computes twice as long before each reading
/// until it sees a difference, as .NET does at its start (yieldprocessornormalized.cpp,
/// ProcessorIdCache.cs). A runtime at work reads it some thousand times at one moment.
static int64_t span_of_reading(int64_t now) {
    static __thread struct {
        int64_t at, used, longest;
        uint32_t count, doublings, shorter;
    } last;
    struct timespec clock;
    squall_system(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&clock, 0, 0, 0, 0);
    int64_t used = squall_nanoseconds(&clock), spent = used - last.used;
    last.used = used;
    if (spent > last.longest * 3 / 2) {
        last.doublings = spent < last.longest * 3 ? last.doublings + 1 : 0;
        last.longest = spent;
        last.shorter = 0;
    } else if (++last.shorter > 3) {
        last.longest = 0;
    }
    if (now - last.at > 100 * least_span) last.count = 0;
    last.at = now;
    if (last.doublings >= doublings_max) return least_span;
    if (last.count == readings_max + 2 * slow_readings || ++last.count <= readings_max) return 0;
    return last.count <= readings_max + slow_readings ? least_span : 1000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!squall_is_virtual(clock) || !squall_joined()) {
        return (int)squall_system(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    }
    int64_t span = span_of_reading(squall_now());
    if (span > 0 && !squall_is_background(squall_own_place())) {
        int kept = errno;
        squall_sleep_until(squall_now() + span);
        errno = kept;
    }
    int64_t now = squall_base(clock) + squall_now();
    *time = (struct timespec){now / 1000000000, now % 1000000000};
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *time, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

clock_t times(struct tms *used) {
    clock_t ticks = REAL(times)(used);
    if (!squall_joined()) return ticks;
    return (squall_joined()->elapsed_base + squall_now()) / (1000000000 / sysconf(_SC_CLK_TCK));
}
#endif
