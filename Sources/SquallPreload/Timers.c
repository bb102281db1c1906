#include "Process.h"

#ifdef __linux__
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

// A timer of a file stands in the world's memory. When it is due, the world's signal lets the real
// one run out at once, which makes the file ready to be read.

enum { files_max = 65536, edge = 128 };
/// The clock of each file that is a timer, and 1; and `edge` where each of its moments is told.
static _Atomic uint8_t clocks[files_max];
/// When a file's timer of several moments ran out first since it was read, by its place; 0 if it
/// has not. Until it is read no later moment makes a difference, and none moves the clock.
static _Atomic int64_t unread_since[squall_timers_max];

static _Atomic int64_t *unread_of(struct squall_timer *timer) {
    return &unread_since[timer - squall_joined()->timers];
}

static int is_timer(int file) {
    return file >= 0 && file < files_max && atomic_load(&clocks[file]);
}

/// The place of this process's timer of a file; a free one if there is none yet and one is wanted.
static struct squall_timer *timer_of(int file, int makes) {
    struct squall_world *world = squall_joined();
    int32_t process = getpid();
    for (int i = 0; i < squall_timers_max; i++) {
        struct squall_timer *timer = &world->timers[i];
        if (atomic_load(&timer->process) == process && atomic_load(&timer->file) == file) {
            return timer;
        }
    }
    for (int i = 0; makes && i < squall_timers_max; i++) {
        struct squall_timer *timer = &world->timers[i];
        int32_t none = 0;
        if (!atomic_compare_exchange_strong(&timer->process, &none, -1)) continue;
        atomic_store(&timer->deadline, SQUALL_NEVER);
        atomic_store(&timer->interval, 0);
        atomic_store(unread_of(timer), 0);
        atomic_store(&timer->file, file);
        atomic_store(&timer->process, process);
        return timer;
    }
    return NULL;
}

static struct timespec time_of(int64_t span) {
    return (struct timespec){span / 1000000000, span % 1000000000};
}

static long set_really(int file, int64_t span) {
    struct itimerspec once = {.it_value = time_of(span)};
    return squall_system(SYS_timerfd_settime, file, 0, (long)&once, 0, 0, 0);
}

void squall_fire_timers(struct squall_world *world) {
    int32_t process = (int32_t)squall_system(SYS_getpid, 0, 0, 0, 0, 0, 0);
    int64_t now = atomic_load(&world->now);
    for (int i = 0; i < squall_timers_max; i++) {
        struct squall_timer *timer = &world->timers[i];
        int64_t deadline = atomic_load(&timer->deadline);
        if (atomic_load(&timer->process) != process || atomic_load(&timer->file) < 0
            || deadline > now) continue;
        int64_t interval = atomic_load(&timer->interval);
        int file = atomic_load(&timer->file), is_edge = atomic_load(&clocks[file]) & edge;
        int64_t next = interval > 0 && is_edge ? deadline + interval : SQUALL_NEVER;
        int64_t moment = deadline;
        if (atomic_compare_exchange_strong(&timer->deadline, &deadline, next)) {
            if (interval > 0 && !is_edge) atomic_store(&unread_since[i], moment);
            set_really(file, 1);
        }
    }
}

/// How often a timer has run out since it was read, and its next moment, where that is not awaited.
static int64_t count_of(struct squall_timer *timer, int64_t unread, int64_t *next) {
    int64_t interval = atomic_load(&timer->interval);
    int64_t count = 1 + (squall_now() - unread) / interval;
    *next = unread + count * interval;
    return count;
}

static void tell(struct squall_timer *timer, struct itimerspec *told) {
    int64_t deadline = timer ? atomic_load(&timer->deadline) : SQUALL_NEVER;
    int64_t unread = timer ? atomic_load(unread_of(timer)) : 0;
    if (unread) count_of(timer, unread, &deadline);
    int64_t left = deadline == SQUALL_NEVER ? 0 : deadline - squall_now();
    told->it_value = time_of(left > 0 ? left : deadline == SQUALL_NEVER ? 0 : 1);
    told->it_interval = time_of(timer ? atomic_load(&timer->interval) : 0);
}

/// Sets a timer's first moment and the interval of the others; tells what they were.
static void arm(
    struct squall_timer *timer, clockid_t clock, int flags, const struct itimerspec *value,
    struct itimerspec *old) {
    if (old) tell(timer, old);
    int64_t deadline = SQUALL_NEVER;
    if (squall_nanoseconds(&value->it_value) > 0) {
        deadline = flags & TIMER_ABSTIME ? squall_at(&value->it_value, clock)
                                         : squall_after(squall_nanoseconds(&value->it_value));
    }
    atomic_store(unread_of(timer), 0);
    atomic_store(&timer->interval, squall_nanoseconds(&value->it_interval));
    atomic_store(&timer->deadline, deadline);
}

/// Frees a timer's place.
static void forget(int file) {
    struct squall_timer *timer = timer_of(file, 0);
    if (!timer) return;
    atomic_store(&timer->deadline, SQUALL_NEVER);
    atomic_store(&timer->process, 0);
}

int timerfd_create(int clock, int flags) {
    int file = REAL(timerfd_create)(clock, flags);
    if (file >= 0 && file < files_max && squall_joined() && squall_is_virtual(clock)) {
        atomic_store(&clocks[file], (uint8_t)(clock + 1));
    }
    return file;
}

int timerfd_settime(
    int file, int flags, const struct itimerspec *value, struct itimerspec *old) {
    struct squall_timer *timer = squall_joined() && is_timer(file) ? timer_of(file, 1) : NULL;
    if (!timer) return REAL(timerfd_settime)(file, flags, value, old);
    set_really(file, 0);
    arm(timer, (atomic_load(&clocks[file]) & ~edge) - 1, flags, value, old);
    if (atomic_load(&timer->deadline) <= squall_now()) squall_fire_timers(squall_joined());
    return 0;
}

int timerfd_gettime(int file, struct itimerspec *value) {
    if (!squall_joined() || !is_timer(file)) return REAL(timerfd_gettime)(file, value);
    tell(timer_of(file, 0), value);
    return 0;
}

/// Who is told of each moment of a timer need not read it.
int epoll_ctl(int set, int operation, int file, struct epoll_event *event) {
    if (is_timer(file) && event && event->events & EPOLLET) atomic_fetch_or(&clocks[file], edge);
    return REAL(epoll_ctl)(set, operation, file, event);
}

/// Tells how often a timer has run out that was read, and awaits its next moment.
static void was_read(int file, void *buffer) {
    struct squall_timer *timer = timer_of(file, 0);
    int64_t unread = timer ? atomic_exchange(unread_of(timer), 0) : 0;
    if (!unread) return;
    int64_t next, count = count_of(timer, unread, &next);
    memcpy(buffer, &count, sizeof count);
    atomic_store(&timer->deadline, next);
}

int close(int file) {
    if (squall_joined()) {
        if (is_timer(file)) {
            atomic_store(&clocks[file], 0);
            forget(file);
        }
        squall_forget_limits(file);
    }
    return REAL(close)(file);
}

ssize_t read(int file, void *buffer, size_t size) {
    if (!squall_is_in_time(file, 0, 0)) return -1;
    if (is_timer(file) && squall_joined()) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        // A wait with the world's signal let through, where the file is one that waits.
        int flags = (int)squall_system(SYS_fcntl, file, 3 /* F_GETFL */, 0, 0, 0, 0);
        if (!(flags & 04000 /* O_NONBLOCK */)) poll(&ready, 1, -1);
        ssize_t count = REAL(read)(file, buffer, size);
        if (count == sizeof(int64_t)) was_read(file, buffer);
        return count;
    }
    return REAL(read)(file, buffer, size);
}

ssize_t __read_chk(int file, void *buffer, size_t size, size_t room) {
    if (size > room) abort();
    return read(file, buffer, size);
}

// Timers that send SIGALRM: the one of setitimer and alarm, and those of timer_create. Others of
// these send what the program does not show to anybody, such as a runtime's ends of time slices;
// they are the machine's.

int setitimer(
    __itimer_which_t which, const struct itimerval *restrict value,
    struct itimerval *restrict old) {
    struct squall_timer *timer =
        which == ITIMER_REAL && squall_joined() ? timer_of(-1, 1) : NULL;
    if (!timer) return REAL(setitimer)(which, value, old);
    struct itimerspec told, wanted;
    tell(timer, &told);
    if (old) {
        TIMESPEC_TO_TIMEVAL(&old->it_value, &told.it_value);
        TIMESPEC_TO_TIMEVAL(&old->it_interval, &told.it_interval);
    }
    if (!value) return 0;
    TIMEVAL_TO_TIMESPEC(&value->it_value, &wanted.it_value);
    TIMEVAL_TO_TIMESPEC(&value->it_interval, &wanted.it_interval);
    arm(timer, CLOCK_MONOTONIC, 0, &wanted, NULL);
    return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *value) {
    if (which != ITIMER_REAL || !squall_joined()) return REAL(getitimer)(which, value);
    return setitimer(which, NULL, value);
}

unsigned alarm(unsigned seconds) {
    struct itimerval value = {.it_value = {seconds, 0}}, old = {0};
    setitimer(ITIMER_REAL, &value, &old);
    // What is left counts as at least a second.
    unsigned left = (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec >= 500000);
    return left == 0 && old.it_value.tv_usec > 0 ? 1 : left;
}

enum { alarms_max = 32 };
/// The clock of each timer of timer_create, and 1. Its place here is what the program knows it by.
static _Atomic uint8_t alarms[alarms_max];

static int is_alarm(timer_t timer) {
    return timer >= (timer_t)alarms && timer < (timer_t)(alarms + alarms_max);
}

/// What stands for its file, below that of setitimer's.
static int alarm_of(timer_t timer) { return -2 - (int)((_Atomic uint8_t *)timer - alarms); }

int timer_create(
    clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    int sends_alarm = !event
        || (event->sigev_notify == SIGEV_SIGNAL && event->sigev_signo == SIGALRM);
    if (sends_alarm && squall_joined() && squall_is_virtual(clock)) {
        for (int i = 0; i < alarms_max; i++) {
            uint8_t none = 0;
            if (!atomic_compare_exchange_strong(&alarms[i], &none, (uint8_t)(clock + 1))) continue;
            *timer = (timer_t)&alarms[i];
            return 0;
        }
    }
    return REAL(timer_create)(clock, event, timer);
}

int timer_settime(
    timer_t timer, int flags, const struct itimerspec *restrict value,
    struct itimerspec *restrict old) {
    if (!is_alarm(timer)) return REAL(timer_settime)(timer, flags, value, old);
    struct squall_timer *place = timer_of(alarm_of(timer), 1);
    if (!place) return errno = EAGAIN, -1;
    arm(place, atomic_load((_Atomic uint8_t *)timer) - 1, flags, value, old);
    return 0;
}

int timer_gettime(timer_t timer, struct itimerspec *value) {
    if (!is_alarm(timer)) return REAL(timer_gettime)(timer, value);
    tell(timer_of(alarm_of(timer), 0), value);
    return 0;
}

int timer_getoverrun(timer_t timer) {
    return is_alarm(timer) ? 0 : REAL(timer_getoverrun)(timer);
}

int timer_delete(timer_t timer) {
    if (!is_alarm(timer)) return REAL(timer_delete)(timer);
    forget(alarm_of(timer));
    atomic_store((_Atomic uint8_t *)timer, 0);
    return 0;
}
#endif
