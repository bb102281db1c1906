#include "Process.h"

#ifdef __linux__
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/sem.h>
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

/// Waits for a turn in real time, in a process that has no world.
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

/// Tries, and then waits by a call that a signal ends, until that succeeds or the deadline comes.
#define AWAIT(attempt, wait, end)                                                                 \
    ({                                                                                            \
        __typeof__(wait) result;                                                                  \
        for (int64_t deadline = end;;) {                                                          \
            result = attempt;                                                                     \
            if (result >= 0 || squall_now() >= deadline) break;                                   \
            struct squall_waiter *place = squall_begin_wait(squall_awaits_semaphore, deadline);   \
            squall_let_through(1);                                                                \
            result = wait;                                                                        \
            int problem = errno;                                                                  \
            squall_let_through(0);                                                                \
            squall_end_wait(place);                                                               \
            errno = problem;                                                                      \
            if (result >= 0 || problem != EINTR || !squall_was_struck(place)) break;              \
        }                                                                                         \
        result;                                                                                   \
    })

static const struct timespec no_time = {0, 0};

static int await_semaphore(sem_t *semaphore, int64_t end) {
    int result = AWAIT(sem_trywait(semaphore), REAL(sem_wait)(semaphore), end);
    if (result < 0 && errno == EAGAIN) errno = ETIMEDOUT;
    return result;
}

int semtimedop(int set, struct sembuf *acts, size_t count, const struct timespec *span) {
    if (!squall_joined() || !span) return REAL(semtimedop)(set, acts, count, span);
    return AWAIT(
        REAL(semtimedop)(set, acts, count, &no_time), REAL(semop)(set, acts, count),
        squall_after(squall_nanoseconds(span)));
}

// Queues of messages: a moment that has passed by the real clock is a try.

ssize_t mq_timedreceive(
    mqd_t queue, char *restrict buffer, size_t size, unsigned *restrict priority,
    const struct timespec *restrict end) {
    if (!squall_joined()) return REAL(mq_timedreceive)(queue, buffer, size, priority, end);
    return AWAIT(
        REAL(mq_timedreceive)(queue, buffer, size, priority, &no_time),
        REAL(mq_receive)(queue, buffer, size, priority), squall_at(end, CLOCK_REALTIME));
}

int mq_timedsend(
    mqd_t queue, const char *buffer, size_t size, unsigned priority, const struct timespec *end) {
    if (!squall_joined()) return REAL(mq_timedsend)(queue, buffer, size, priority, end);
    return AWAIT(
        REAL(mq_timedsend)(queue, buffer, size, priority, &no_time),
        REAL(mq_send)(queue, buffer, size, priority), squall_at(end, CLOCK_REALTIME));
}

// The end of a thread wakes nobody who could see it: it is looked for, ever less often.

int pthread_clockjoin_np(
    pthread_t thread, void **result, clockid_t clock, const struct timespec *end) {
    if (!squall_joined()) return REAL(pthread_clockjoin_np)(thread, result, clock, end);
    int64_t deadline = squall_at(end, clock), begun = squall_now();
    for (;;) {
        int problem = pthread_tryjoin_np(thread, result);
        int64_t now = squall_now(), next = now + (now - begun) / 16 + 1000000;
        if (problem != EBUSY) return problem;
        if (now >= deadline) return ETIMEDOUT;
        squall_sleep_until(next < deadline ? next : deadline);
    }
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *end) {
    return pthread_clockjoin_np(thread, result, CLOCK_REALTIME, end);
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
