#include "Interposed.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Functions of the C library that block a thread. In a world the calling code stays blocked on its
// stack, and the world goes on.

/// How many stacks of this thread wait for a lock in one of the functions below.
static __thread int lock_waiters;

static long long nanoseconds(const struct timespec *time) {
    return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/// The span until a moment of one of the world's clocks; the clock of the day's time may be set.
static long long until(const struct timespec *moment, clockid_t clock) {
    long long now = clock == CLOCK_REALTIME ? squall_day_clock() : squall_virtual_clock();
    long long span = nanoseconds(moment) - now;
    return span > 0 ? span : 0;
}

static void sleep_for(long long span) { squall_hook_wait(0, squall_wait_sleep, span); }

/// 1 where a library spins for a word that another thread holds for a moment: Foundation's own
/// locks do so with `sleep(0)`, Dispatch with `usleep`. That wait is real and short, and gives no
/// turn to others; nor does it stop a simulation without such a world.
///
/// A word that another stack of this thread holds would never be free: after so many tries the
/// others get a turn.
static int spins(const void *caller) {
    enum { triesMax = 100000 };
    static __thread int tries;
    if (!squall_caller_is(caller, squall_caller_spins)) return 0;
    if (++tries % triesMax == 0) return 0;
    syscall(SYS_sched_yield);
    return 1;
}
#define LIBRARY_SPINS (squall_current_simulation() && spins(__builtin_return_address(0)))

INTERPOSED int nanosleep(const struct timespec *span, struct timespec *left) {
    if (WORLD) {
        if (span->tv_nsec < 0 || span->tv_nsec > 999999999 || span->tv_sec < 0) {
            errno = EINVAL;
            return -1;
        }
        sleep_for(nanoseconds(span));
        if (left) *left = (struct timespec){0};
        return 0;
    }
    squall_forbid_stopping("nanosleep");
    REAL(int, nanosleep, (const struct timespec *, struct timespec *));
    return real(span, left);
}

INTERPOSED int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *span, struct timespec *left) {
    if (WORLD) {
        sleep_for(flags & TIMER_ABSTIME ? until(span, clock) : nanoseconds(span));
        if (left) *left = (struct timespec){0};
        return 0;
    }
    squall_forbid_stopping("clock_nanosleep");
    REAL(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *));
    return real(clock, flags, span, left);
}

INTERPOSED int usleep(useconds_t span) {
    if (LIBRARY_SPINS) return 0;
    if (WORLD) {
        sleep_for(span * 1000LL);
        return 0;
    }
    squall_forbid_stopping("usleep");
    REAL(int, usleep, (useconds_t));
    return real(span);
}

INTERPOSED unsigned sleep(unsigned seconds) {
    if (seconds == 0 && LIBRARY_SPINS) return 0;
    if (WORLD) {
        sleep_for(seconds * 1000000000LL);
        return 0;
    }
    squall_forbid_stopping("sleep");
    REAL(unsigned, sleep, (unsigned));
    return real(seconds);
}

INTERPOSED int sched_yield(void) {
    if (WORLD && LIBRARY_SPINS) return 0;
    if (WORLD) {
        sleep_for(0);
        return 0;
    }
    REAL(int, sched_yield, (void));
    return real();
}

// Locks. A free one is taken. One that another stack of this thread holds will be free when that
// stack has gone on; the wait for another thread's is real and short.

static int is_ours(pthread_mutex_t *mutex) {
#if defined(__GLIBC__)
    return mutex->__data.__owner == gettid();
#else
    return lock_waiters > 0;
#endif
}

static int try_lock(pthread_mutex_t *mutex) {
    REAL(int, pthread_mutex_trylock, (pthread_mutex_t *));
    return real(mutex);
}

static int wait_for_lock(const void *lock, long long span) {
    lock_waiters++;
    int woken = squall_hook_wait(lock, squall_wait_lock, span);
    lock_waiters--;
    return woken;
}

#if defined(__GLIBC__)
/// The C library knows recursive locks only by thread; here each belongs to a stack.
struct recursive_lock {
    pthread_mutex_t *mutex;
    int stack;
};
static __thread struct recursive_lock *recursive;
static __thread int recursive_count, recursive_room;

void squall_forget_locks(void) {
    free(recursive);
    recursive = 0;
    recursive_count = recursive_room = 0;
}

/// A lock that was not noted would let two stacks into what it protects.
static void note_recursive(pthread_mutex_t *mutex, int stack) {
    if (recursive_count == recursive_room) {
        int room = recursive_room ? 2 * recursive_room : 64;
        recursive = realloc(recursive, room * sizeof *recursive);
        if (!recursive) squall_give_up("there is no memory to note another recursive lock");
        recursive_room = room;
    }
    recursive[recursive_count++] = (struct recursive_lock){mutex, stack};
}

static int is_recursive(pthread_mutex_t *mutex) { return (mutex->__data.__kind & 3) == 1; }

/// 1 where a recursive lock that was just taken again is another stack's, and so not taken.
static int is_of_another_stack(pthread_mutex_t *mutex) {
    int stack = squall_hooks->stack(WORLD);
    if (mutex->__data.__count == 1) {
        note_recursive(mutex, stack);
        return 0;
    }
    for (int index = recursive_count - 1; index >= 0; index--) {
        if (recursive[index].mutex == mutex) return recursive[index].stack != stack;
    }
    return 0;
}

int squall_lock_holder(const void *lock) {
    for (int index = recursive_count - 1; index >= 0; index--) {
        if (recursive[index].mutex == lock) return recursive[index].stack;
    }
    return -1;
}

static void forget_recursive(pthread_mutex_t *mutex) {
    if (recursive_count == 0 || mutex->__data.__count != 1) return;
    for (int index = recursive_count - 1; index >= 0; index--) {
        if (recursive[index].mutex != mutex) continue;
        recursive[index] = recursive[--recursive_count];
        return;
    }
}
#else
int squall_lock_holder(const void *lock) { return -1; }
void squall_forget_locks(void) {}
static int is_recursive(pthread_mutex_t *mutex) { return 0; }
static int is_of_another_stack(pthread_mutex_t *mutex) { return 0; }
static void forget_recursive(pthread_mutex_t *mutex) {}
#endif

static int real_unlock(pthread_mutex_t *mutex) {
    REAL(int, pthread_mutex_unlock, (pthread_mutex_t *));
    return real(mutex);
}

/// Takes a lock of this thread's world until a moment, if any; `ETIMEDOUT` when it has come, `-1`
/// when the lock is held by another thread.
static int lock_in_world(pthread_mutex_t *mutex, const struct timespec *moment) {
    for (;;) {
        int result = try_lock(mutex);
        if (result == 0 && is_recursive(mutex) && is_of_another_stack(mutex)) {
            real_unlock(mutex);
        } else if (result != EBUSY) {
            return result;
        } else if (!is_ours(mutex)) {
            return -1;
        }
        // One that is woken may find it taken again.
        long long span = moment ? until(moment, CLOCK_REALTIME) : -1;
        if (!wait_for_lock(mutex, span)) return ETIMEDOUT;
    }
}

INTERPOSED int pthread_mutex_lock(pthread_mutex_t *mutex) {
    squall_preempt(__builtin_return_address(0));
    int result = WORLD ? lock_in_world(mutex, 0) : -1;
    if (result >= 0) return result;
    REAL(int, pthread_mutex_lock, (pthread_mutex_t *));
    return real(mutex);
}

INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *moment) {
    int result = WORLD ? lock_in_world(mutex, moment) : -1;
    if (result >= 0) return result;
    REAL(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *));
    return real(mutex, moment);
}

INTERPOSED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (is_recursive(mutex)) forget_recursive(mutex);
    int result = real_unlock(mutex);
    if (WORLD && lock_waiters > 0) squall_hooks->wake(WORLD, mutex, 1);
    return result;
}

/// Read and write locks do not tell their holders; a stack that waits is asked to try again.
#define LOCKS(name, tries)                                                                         \
    INTERPOSED int name(pthread_rwlock_t *lock) {                                                  \
        while (WORLD) {                                                                            \
            int result = tries(lock);                                                              \
            if (result != EBUSY && result != EAGAIN) return result;                                \
            wait_for_lock(lock, -1);                                                               \
        }                                                                                          \
        REAL(int, name, (pthread_rwlock_t *));                                                     \
        return real(lock);                                                                         \
    }

LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock)

INTERPOSED int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    REAL(int, pthread_rwlock_unlock, (pthread_rwlock_t *));
    int result = real(lock);
    if (WORLD && lock_waiters > 0) squall_hooks->wake(WORLD, lock, 1 << 30);
    return result;
}

// Conditions.

/// Some functions have an older namesake in the C library, which must not be found.
static void *newest(void **found, const char *name) {
#if defined(__x86_64__)
    void *next = __atomic_load_n(found, __ATOMIC_RELAXED);
    if (!next) next = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    __atomic_store_n(found, next, __ATOMIC_RELAXED);
    if (next) return next;
#endif
    return squall_next(found, name);
}

static int wait_in_world(pthread_cond_t *condition, pthread_mutex_t *mutex, long long span) {
    pthread_mutex_unlock(mutex);
    int woken = squall_hook_wait(condition, squall_wait_condition, span);
    pthread_mutex_lock(mutex);
    return woken ? 0 : ETIMEDOUT;
}

INTERPOSED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (WORLD) return wait_in_world(condition, mutex, -1);
    static void *found;
    typedef int (*type)(pthread_cond_t *, pthread_mutex_t *);
    type real = (type)newest(&found, "pthread_cond_wait");
    return real(condition, mutex);
}

/// The clock of a condition's moments: glibc keeps the attribute's choice in this bit.
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

INTERPOSED int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *moment) {
    if (WORLD) return wait_in_world(condition, mutex, until(moment, clock_of(condition)));
    typedef int (*type)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    static void *found;
    type real = (type)newest(&found, "pthread_cond_timedwait");
    return real(condition, mutex, moment);
}

INTERPOSED int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
    const struct timespec *moment) {
    if (WORLD) return wait_in_world(condition, mutex, until(moment, clock));
    REAL(int, pthread_cond_clockwait,
         (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *));
    return real(condition, mutex, clock, moment);
}

INTERPOSED int pthread_cond_signal(pthread_cond_t *condition) {
    if (WORLD && squall_hooks->wake(WORLD, condition, 1)) return 0;
    static void *found;
    int (*real)(pthread_cond_t *) = (int (*)(pthread_cond_t *))newest(&found, "pthread_cond_signal");
    return real(condition);
}

INTERPOSED int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (WORLD) squall_hooks->wake(WORLD, condition, 1 << 30);
    static void *found;
    int (*real)(pthread_cond_t *) = (int (*)(pthread_cond_t *))newest(&found, "pthread_cond_broadcast");
    return real(condition);
}

INTERPOSED int sem_wait(sem_t *semaphore) {
    while (WORLD) {
        if (sem_trywait(semaphore) == 0) return 0;
        squall_hook_wait(semaphore, squall_wait_semaphore, -1);
    }
    REAL(int, sem_wait, (sem_t *));
    return real(semaphore);
}

INTERPOSED int sem_timedwait(sem_t *semaphore, const struct timespec *moment) {
    while (WORLD) {
        if (sem_trywait(semaphore) == 0) return 0;
        if (squall_hook_wait(semaphore, squall_wait_semaphore, until(moment, CLOCK_REALTIME))) continue;
        errno = ETIMEDOUT;
        return -1;
    }
    REAL(int, sem_timedwait, (sem_t *, const struct timespec *));
    return real(semaphore, moment);
}

INTERPOSED int sem_post(sem_t *semaphore) {
    REAL(int, sem_post, (sem_t *));
    int result = real(semaphore);
    if (WORLD) squall_hooks->wake(WORLD, semaphore, 1);
    return result;
}

// Waiting for files. Nothing in a world can make one ready, so the world only passes the time.

/// The number that was ready at once, or the end of the wait; `-1` times a reason stays as it is.
static int wait_for_files(int ready, long count, long long span, const char *name) {
    if (ready != 0 || span == 0) return ready;
    if (count > 0) squall_hooks->escape(WORLD, "waiting for a file or socket", name);
    squall_hook_wait(0, squall_wait_run_loop, span);
    return 0;
}

static long long milliseconds(int span) { return span < 0 ? -1 : span * 1000000LL; }

INTERPOSED int poll(struct pollfd *files, nfds_t count, int span) {
    REAL(int, poll, (struct pollfd *, nfds_t, int));
    if (!WORLD) return real(files, count, span);
    return wait_for_files(real(files, count, 0), (long)count, milliseconds(span), "poll");
}

INTERPOSED int ppoll(
    struct pollfd *files, nfds_t count, const struct timespec *span, const sigset_t *signals) {
    typedef struct timespec timespec;
    REAL(int, ppoll, (struct pollfd *, nfds_t, const timespec *, const sigset_t *));
    if (!WORLD) return real(files, count, span, signals);
    timespec none = {0};
    return wait_for_files(
        real(files, count, &none, signals), (long)count, span ? nanoseconds(span) : -1, "poll");
}

INTERPOSED int select(
    int count, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *span) {
    typedef struct timeval timeval;
    REAL(int, select, (int, fd_set *, fd_set *, fd_set *, timeval *));
    if (!WORLD) return real(count, reads, writes, errors, span);
    timeval none = {0};
    long long left = span ? span->tv_sec * 1000000000LL + span->tv_usec * 1000LL : -1;
    return wait_for_files(real(count, reads, writes, errors, &none), count, left, "select");
}

INTERPOSED int epoll_wait(int file, struct epoll_event *events, int count, int span) {
    REAL(int, epoll_wait, (int, struct epoll_event *, int, int));
    if (!WORLD) return real(file, events, count, span);
    return wait_for_files(real(file, events, count, 0), count, milliseconds(span), "epoll_wait");
}
