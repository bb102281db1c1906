#include "Process.h"

#ifdef __linux__
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

// Conditions of the C library cannot be woken by a signal, so these replace them: a word that each
// signal of the condition changes, and on which waiters sleep. All calls of a program come here.

struct condition {
    _Atomic uint32_t turn;
    uint32_t clock;
};

_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "a condition holds two words");

static struct condition *own(pthread_cond_t *condition) { return (struct condition *)condition; }

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    clockid_t clock = CLOCK_REALTIME;
    if (attributes) pthread_condattr_getclock(attributes, &clock);
    own(condition)->turn = 0;
    own(condition)->clock = (uint32_t)clock;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static int wake(pthread_cond_t *condition, int count) {
    int problem = errno;
    atomic_fetch_add(&own(condition)->turn, 1);
    squall_system(SYS_futex, (long)&own(condition)->turn, FUTEX_WAKE, count, 0, 0, 0);
    errno = problem;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) { return wake(condition, 1); }
int pthread_cond_broadcast(pthread_cond_t *condition) { return wake(condition, INT32_MAX); }

/// Sleeps until the turn changes or the deadline comes. Nothing of the condition is touched after
/// that: who has woken the others may free it.
static int await_turn(_Atomic uint32_t *turn, uint32_t seen, int64_t deadline) {
    struct squall_waiter *place = squall_begin_wait(squall_awaits_condition, deadline);
    squall_let_through(1);
    int result = 0;
    for (;;) {
        if (squall_now() >= deadline) {
            result = atomic_load(turn) == seen ? ETIMEDOUT : 0;
            break;
        }
        if (squall_system(SYS_futex, (long)turn, FUTEX_WAIT, seen, 0, 0, 0) == 0) break;
        // EAGAIN: the turn has changed. EINTR: a signal, the world's or the program's.
        if (errno != EINTR) break;
        squall_was_struck(place);
    }
    squall_let_through(0);
    squall_end_wait(place);
    return result;
}

/// The same in real time, for a process that has no world.
static int await_turn_really(
    _Atomic uint32_t *turn, uint32_t seen, clockid_t clock, const struct timespec *end) {
    int operation = FUTEX_WAIT_BITSET | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
    for (;;) {
        if (squall_system(
                SYS_futex, (long)turn, operation, seen, (long)end, 0, FUTEX_BITSET_MATCH_ANY)
            == 0) return 0;
        if (errno == ETIMEDOUT) return ETIMEDOUT;
        if (errno != EINTR) return 0;
    }
}

static int await(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
    const struct timespec *end) {
    if (end && (end->tv_nsec < 0 || end->tv_nsec > 999999999)) return EINVAL;
    int kept = errno;
    _Atomic uint32_t *turn = &own(condition)->turn;
    uint32_t seen = atomic_load(turn);
    int problem = pthread_mutex_unlock(mutex);
    if (problem) return problem;
    int result;
    if (squall_joined()) {
        result = await_turn(turn, seen, end ? squall_at(end, clock) : SQUALL_NEVER);
    } else {
        result = await_turn_really(turn, seen, clock, end);
    }
    problem = pthread_mutex_lock(mutex);
    errno = kept;
    return problem ? problem : result;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return await(condition, mutex, CLOCK_MONOTONIC, NULL);
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    return await(condition, mutex, (clockid_t)own(condition)->clock, end);
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
    const struct timespec *end) {
    return await(condition, mutex, clock, end);
}

// Locks with a deadline: whoever waits for one looks again after each release of any.

static _Atomic uint32_t releases;
/// How many wait so.
static _Atomic int32_t hopefuls;

static int released(int problem) {
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&hopefuls) == 0) return problem;
    int kept = errno;
    atomic_fetch_add(&releases, 1);
    squall_system(SYS_futex, (long)&releases, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
    errno = kept;
    return problem;
}

int pthread_mutex_unlock(pthread_mutex_t *lock) {
    return released(REAL(pthread_mutex_unlock)(lock));
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    return released(REAL(pthread_rwlock_unlock)(lock));
}

/// Repeats an attempt at a lock until it succeeds or the deadline comes.
#define UNTIL(attempt, end, clock)                                                                \
    ({                                                                                            \
        int problem = (end)->tv_nsec < 0 || (end)->tv_nsec > 999999999 ? EINVAL : EBUSY;          \
        int kept = errno;                                                                         \
        atomic_fetch_add(&hopefuls, 1);                                                           \
        for (int64_t deadline = squall_at(end, clock); problem == EBUSY;) {                       \
            uint32_t seen = atomic_load(&releases);                                               \
            problem = attempt;                                                                    \
            if (problem == EBUSY && await_turn(&releases, seen, deadline)) problem = ETIMEDOUT;   \
        }                                                                                         \
        atomic_fetch_sub(&hopefuls, 1);                                                           \
        errno = kept;                                                                             \
        problem;                                                                                  \
    })

int pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *end) {
    if (!squall_joined()) return REAL(pthread_mutex_clocklock)(lock, clock, end);
    return UNTIL(pthread_mutex_trylock(lock), end, clock);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict lock, const struct timespec *restrict end) {
    return pthread_mutex_clocklock(lock, CLOCK_REALTIME, end);
}

int pthread_rwlock_clockrdlock(
    pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict end) {
    if (!squall_joined()) return REAL(pthread_rwlock_clockrdlock)(lock, clock, end);
    return UNTIL(pthread_rwlock_tryrdlock(lock), end, clock);
}

int pthread_rwlock_timedrdlock(
    pthread_rwlock_t *restrict lock, const struct timespec *restrict end) {
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, end);
}

int pthread_rwlock_clockwrlock(
    pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict end) {
    if (!squall_joined()) return REAL(pthread_rwlock_clockwrlock)(lock, clock, end);
    return UNTIL(pthread_rwlock_trywrlock(lock), end, clock);
}

int pthread_rwlock_timedwrlock(
    pthread_rwlock_t *restrict lock, const struct timespec *restrict end) {
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, end);
}

// Semaphores of the C library end their waits by EINTR.

static int await_semaphore(sem_t *semaphore, int64_t deadline) {
    for (;;) {
        if (sem_trywait(semaphore) == 0) return 0;
        if (squall_now() >= deadline) {
            errno = ETIMEDOUT;
            return -1;
        }
        struct squall_waiter *place = squall_begin_wait(squall_awaits_semaphore, deadline);
        squall_let_through(1);
        int result = REAL(sem_wait)(semaphore);
        int problem = errno;
        squall_let_through(0);
        squall_end_wait(place);
        if (result == 0) return 0;
        if (problem == EINTR && squall_was_struck(place)) continue;
        errno = problem;
        return -1;
    }
}

int sem_wait(sem_t *semaphore) {
    if (!squall_joined()) return REAL(sem_wait)(semaphore);
    return await_semaphore(semaphore, SQUALL_NEVER);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
    if (!squall_joined()) return REAL(sem_timedwait)(semaphore, end);
    return await_semaphore(semaphore, squall_at(end, CLOCK_REALTIME));
}

int sem_clockwait(
    sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict end) {
    if (!squall_joined()) return REAL(sem_clockwait)(semaphore, clock, end);
    return await_semaphore(semaphore, squall_at(end, clock));
}
#endif
