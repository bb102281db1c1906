#include "Process.h"

#ifdef __linux__
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

// A wait with an end becomes one without; at its deadline the world's signal ends it. The clock
// only moves while every thread sleeps, so no signal comes between the look at the clock and the
// wait.

static const struct timespec no_time;

static int64_t after_milliseconds(int span) {
    return span < 0 ? SQUALL_NEVER : squall_after(span * 1000000LL);
}

/// So many looks in a row that find nothing may take no time; each further one takes so much.
enum { looks_max = 1000 };
static const int64_t look_span = 1000000;

/// The deadline of a wait that found nothing at once. A program that looks again and again instead
/// of waiting would look for ever at one moment, as URLSession on Linux does before the first
/// response of a connection: after many looks they take time, as on a machine. A thread that looks
/// and waits alternately begins anew.
static int64_t after_looking(int64_t deadline) {
    static _Atomic int64_t looked_at;
    static _Atomic uint32_t looks;
    static __thread int has_looked;
    int64_t now = squall_now();
    int waits = deadline > now;
    int is_new = waits ? has_looked && deadline != SQUALL_NEVER
                       : now - atomic_exchange(&looked_at, now) > 5 * look_span;
    if (is_new) atomic_store(&looks, 0);
    has_looked = !waits;
    if (waits) return deadline;
    return atomic_fetch_add(&looks, 1) < looks_max ? now : now + look_span;
}

static int wait_for(
    struct pollfd *files, nfds_t count, int64_t deadline, const sigset_t *given,
    enum squall_wait wait) {
    int ready = REAL(ppoll)(files, count, &no_time, given);
    if (ready != 0 || (deadline = after_looking(deadline)) <= squall_now()) return ready;
    sigset_t mask = squall_open_mask(given);
    while (ready == 0) {
        if (squall_now() >= deadline) return REAL(ppoll)(files, count, &no_time, NULL);
        struct squall_waiter *place = squall_begin_wait(wait, deadline);
        ready = REAL(ppoll)(files, count, NULL, &mask);
        int problem = errno;
        squall_end_wait(place);
        if (ready < 0 && problem == EINTR && squall_was_struck(place)) ready = 0;
        errno = problem;
    }
    return ready;
}

int squall_sleep_until(int64_t deadline) {
    return squall_now() < deadline && wait_for(NULL, 0, deadline, NULL, squall_sleeps) < 0 ? errno
                                                                                          : 0;
}

int poll(struct pollfd *files, nfds_t count, int span) {
    if (!squall_joined()) return REAL(poll)(files, count, span);
    return wait_for(files, count, after_milliseconds(span), NULL, squall_polls);
}

int __poll_chk(struct pollfd *files, nfds_t count, int span, size_t size) {
    (void)size;
    return poll(files, count, span);
}

int ppoll(
    struct pollfd *files, nfds_t count, const struct timespec *span, const sigset_t *mask) {
    if (!squall_joined()) return REAL(ppoll)(files, count, span, mask);
    int64_t deadline = span ? squall_after(squall_nanoseconds(span)) : SQUALL_NEVER;
    return wait_for(files, count, deadline, mask, squall_polls);
}

int __ppoll_chk(
    struct pollfd *files, nfds_t count, const struct timespec *span, const sigset_t *mask,
    size_t size) {
    (void)size;
    return ppoll(files, count, span, mask);
}

static int wait_for_events(
    int set, struct epoll_event *events, int count, int64_t deadline, const sigset_t *given) {
    int ready = REAL(epoll_pwait)(set, events, count, 0, given);
    if (ready != 0 || (deadline = after_looking(deadline)) <= squall_now()) return ready;
    sigset_t mask = squall_open_mask(given);
    while (ready == 0) {
        if (squall_now() >= deadline) return REAL(epoll_pwait)(set, events, count, 0, NULL);
        struct squall_waiter *place = squall_begin_wait(squall_polls, deadline);
        ready = REAL(epoll_pwait)(set, events, count, -1, &mask);
        int problem = errno;
        squall_end_wait(place);
        if (ready < 0 && problem == EINTR && squall_was_struck(place)) ready = 0;
        errno = problem;
    }
    return ready;
}

int epoll_wait(int set, struct epoll_event *events, int count, int span) {
    if (!squall_joined()) return REAL(epoll_wait)(set, events, count, span);
    return wait_for_events(set, events, count, after_milliseconds(span), NULL);
}

int epoll_pwait(
    int set, struct epoll_event *events, int count, int span, const sigset_t *mask) {
    if (!squall_joined()) return REAL(epoll_pwait)(set, events, count, span, mask);
    return wait_for_events(set, events, count, after_milliseconds(span), mask);
}

int epoll_pwait2(
    int set, struct epoll_event *events, int count, const struct timespec *span,
    const sigset_t *mask) {
    if (!squall_joined()) {
        return (int)squall_system(
            SYS_epoll_pwait2, set, (long)events, count, (long)span, (long)mask, 8);
    }
    int64_t deadline = span ? squall_after(squall_nanoseconds(span)) : SQUALL_NEVER;
    return wait_for_events(set, events, count, deadline, mask);
}

static int wait_for_sets(
    int count, fd_set *reads, fd_set *writes, fd_set *others, int64_t deadline,
    const sigset_t *given) {
    sigset_t mask = squall_open_mask(given);
    int has_waited = 0;
    for (;;) {
        fd_set sets[3];
        if (reads) sets[0] = *reads;
        if (writes) sets[1] = *writes;
        if (others) sets[2] = *others;
        int is_late = squall_now() >= deadline;
        struct squall_waiter *place = is_late ? NULL : squall_begin_wait(squall_polls, deadline);
        if (place) has_waited = 1;
        int ready = REAL(pselect)(
            count, reads ? &sets[0] : NULL, writes ? &sets[1] : NULL, others ? &sets[2] : NULL,
            is_late ? &no_time : NULL, &mask);
        int problem = errno;
        if (place) {
            squall_end_wait(place);
            if (ready < 0 && problem == EINTR && squall_was_struck(place)) continue;
        } else if (ready == 0 && !has_waited) {
            has_waited = 1;
            if ((deadline = after_looking(deadline)) > squall_now()) continue;
        }
        if (ready >= 0) {
            if (reads) *reads = sets[0];
            if (writes) *writes = sets[1];
            if (others) *others = sets[2];
        }
        errno = problem;
        return ready;
    }
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *span) {
    // Sets beyond those of the C library's type are left to the system.
    if (!squall_joined() || count > FD_SETSIZE) {
        return REAL(select)(count, reads, writes, others, span);
    }
    int64_t deadline = SQUALL_NEVER;
    if (span) deadline = squall_after(span->tv_sec * 1000000000LL + span->tv_usec * 1000LL);
    int ready = wait_for_sets(count, reads, writes, others, deadline, NULL);
    // As on Linux: what was left of the span.
    if (span) {
        int64_t left = deadline - squall_now();
        if (left < 0) left = 0;
        *span = (struct timeval){left / 1000000000, left % 1000000000 / 1000};
    }
    return ready;
}

int pselect(
    int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *span,
    const sigset_t *mask) {
    if (!squall_joined() || count > FD_SETSIZE) {
        return REAL(pselect)(count, reads, writes, others, span, mask);
    }
    int64_t deadline = span ? squall_after(squall_nanoseconds(span)) : SQUALL_NEVER;
    return wait_for_sets(count, reads, writes, others, deadline, mask);
}

int sigtimedwait(
    const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict span) {
    if (!squall_joined() || !span) return REAL(sigtimedwait)(set, info, span);
    int64_t deadline = squall_after(squall_nanoseconds(span));
    sigset_t wanted = *set;
    sigaddset(&wanted, squall_signal());
    for (;;) {
        int is_late = squall_now() >= deadline;
        struct squall_waiter *place = squall_begin_wait(squall_sleeps, deadline);
        int number = REAL(sigtimedwait)(&wanted, info, is_late ? &no_time : NULL);
        int problem = errno;
        squall_end_wait(place);
        errno = problem;
        if (number != squall_signal()) return number;
        squall_was_struck(place);
        squall_fire_timers(squall_joined());
    }
}

// Sleeping

int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *span, struct timespec *left) {
    if (!squall_joined() || !squall_is_virtual(clock)) {
        return squall_system(SYS_clock_nanosleep, clock, flags, (long)span, (long)left, 0, 0) < 0
            ? errno
            : 0;
    }
    if (span->tv_nsec < 0 || span->tv_nsec > 999999999 || span->tv_sec < 0) return EINVAL;
    int64_t length = squall_nanoseconds(span);
    int is_absolute = (flags & TIMER_ABSTIME) != 0;
    struct squall_waiter *place = squall_own_place();
    // A runtime that backs off for a moment until its other threads have stopped must not wait for
    // the clock, which may be far from its next deadline.
    if (!is_absolute && length < 2000000 && squall_is_background(place)) {
        atomic_store(&place->sleeps_really, 1);
        long result = squall_system(SYS_nanosleep, (long)span, (long)left, 0, 0, 0, 0);
        int problem = result < 0 ? errno : 0;
        atomic_store(&place->sleeps_really, 0);
        return problem;
    }
    int64_t deadline = is_absolute ? squall_at(span, clock) : squall_after(length);
    int problem = squall_sleep_until(deadline);
    if (problem && left && !is_absolute) {
        int64_t rest = deadline - squall_now();
        *left = (struct timespec){rest / 1000000000, rest % 1000000000};
    }
    return problem;
}

int nanosleep(const struct timespec *span, struct timespec *left) {
    int problem = clock_nanosleep(CLOCK_MONOTONIC, 0, span, left);
    if (problem) errno = problem;
    return problem ? -1 : 0;
}

unsigned sleep(unsigned seconds) {
    struct timespec span = {seconds, 0}, left = {0, 0};
    return nanosleep(&span, &left) < 0 ? (unsigned)left.tv_sec + (left.tv_nsec >= 500000000) : 0;
}

int usleep(useconds_t span) {
    struct timespec time = {span / 1000000, span % 1000000 * 1000};
    return nanosleep(&time, NULL);
}
#endif
