// Waits an hour in each way of the C library, and says by two clocks how many seconds passed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { hour = 3600 };
static const struct timespec span = {hour, 0};
static const struct timeval limit = {hour, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int pair[2];

static struct timespec later(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += hour;
    return time;
}

static void ignore(int number) { (void)number; }

static int sleeps(void) { return (int)sleep(hour); }
/// As a caller of foreign functions does.
static int by_name(void) {
    unsigned (*wait)(unsigned) = dlsym(dlopen("libc.so.6", RTLD_LAZY), "sleep");
    return (int)wait(hour);
}
static int until(void) {
    struct timespec end = later(CLOCK_REALTIME);
    return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, NULL);
}
static int polls(void) { return poll(NULL, 0, hour * 1000); }
static int polls_by_span(void) { return ppoll(NULL, 0, &span, NULL); }
static int selects(void) {
    struct timeval left = limit;
    return select(0, NULL, NULL, NULL, &left);
}
static int selects_by_span(void) { return pselect(0, NULL, NULL, NULL, &span, NULL); }
static int awaits_events(void) {
    struct epoll_event event;
    int set = epoll_create1(0), count = epoll_wait(set, &event, 1, hour * 1000);
    return count + close(set);
}
static int awaits_events_by_span(void) {
    struct epoll_event event;
    int set = epoll_create1(0), count = epoll_pwait2(set, &event, 1, &span, NULL);
    return count + close(set);
}
static int condition_until(void) {
    struct timespec end = later(CLOCK_REALTIME);
    pthread_mutex_lock(&mutex);
    int problem = pthread_cond_timedwait(&condition, &mutex, &end);
    pthread_mutex_unlock(&mutex);
    return problem != ETIMEDOUT;
}
static int condition_by_clock(void) {
    struct timespec end = later(CLOCK_MONOTONIC);
    pthread_mutex_lock(&mutex);
    int problem = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end);
    pthread_mutex_unlock(&mutex);
    return problem != ETIMEDOUT;
}
static int semaphore_until(void) {
    struct timespec end = later(CLOCK_REALTIME);
    return sem_timedwait(&semaphore, &end) == 0 || errno != ETIMEDOUT;
}
static int semaphore_by_clock(void) {
    struct timespec end = later(CLOCK_MONOTONIC);
    return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &end) == 0 || errno != ETIMEDOUT;
}
static int lock_until(void) {
    struct timespec end = later(CLOCK_REALTIME);
    pthread_mutex_lock(&mutex);
    int problem = pthread_mutex_timedlock(&mutex, &end);
    pthread_mutex_unlock(&mutex);
    return problem != ETIMEDOUT;
}
static void *hold(void *lock) {
    pthread_rwlock_wrlock(lock);
    sleep(hour);
    pthread_rwlock_unlock(lock);
    return NULL;
}
static int lock_in_time(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec end = later(CLOCK_MONOTONIC);
    pthread_t thread;
    end.tv_sec += hour;
    if (pthread_create(&thread, NULL, hold, &lock) || sleep(1)) return 1;
    return pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &end) || pthread_join(thread, NULL);
}
static int awaits_word(void) {
    static int word;
    return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &span, NULL, 0) == 0 || errno != ETIMEDOUT;
}
static int awaits_signal(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return sigtimedwait(&set, NULL, &span) != -1 || errno != EAGAIN;
}
static int alarms(void) {
    alarm(hour);
    return pause() == 0 || errno != EINTR;
}
static int timer(void) {
    struct itimerval value = {.it_value = limit};
    setitimer(ITIMER_REAL, &value, NULL);
    return pause() == 0 || errno != EINTR;
}
static int timer_of_clock(void) {
    struct itimerspec value = {.it_value = span}, left = value;
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    timer_settime(timer, 0, &value, NULL);
    return pause() == 0 || errno != EINTR || timer_gettime(timer, &left) || left.it_value.tv_sec
        || timer_delete(timer);
}
static int timer_of_file(void) {
    struct itimerspec value = {.it_value = span};
    uint64_t count = 0;
    int file = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(file, 0, &value, NULL);
    return read(file, &count, sizeof count) != sizeof count || count != 1 || close(file);
}
static int timer_unread(void) {
    struct itimerspec value = {.it_interval = {600, 0}, .it_value = {600, 0}}, left;
    uint64_t count = 0;
    int file = timerfd_create(CLOCK_MONOTONIC, 0), problem = timerfd_settime(file, 0, &value, NULL);
    problem |= (int)sleep(hour - 300);
    problem |= timerfd_gettime(file, &left) || (left.it_value.tv_sec + 1) / 10 != 30;
    problem |= read(file, &count, sizeof count) != sizeof count || count != 5;
    problem |= read(file, &count, sizeof count) != sizeof count || count != 1;
    return problem || close(file);
}
static int set_of_semaphores(void) {
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf act = {.sem_op = -1};
    int problem = semtimedop(set, &act, 1, &span) != -1 || errno != EAGAIN;
    return semctl(set, 0, IPC_RMID) || problem;
}
static int queue(void) {
    char name[32], bytes[16];
    struct mq_attr kind = {.mq_maxmsg = 1, .mq_msgsize = sizeof bytes};
    struct timespec end = later(CLOCK_REALTIME);
    snprintf(name, sizeof name, "/squall-%d", getpid());
    mqd_t file = mq_open(name, O_RDWR | O_CREAT, 0600, &kind);
    // Some systems have none.
    if (file < 0) return sleep(hour) != 0;
    int problem = mq_timedreceive(file, bytes, sizeof bytes, NULL, &end) != -1
        || errno != ETIMEDOUT || mq_timedsend(file, "x", 1, 0, &end)
        || mq_timedsend(file, "x", 1, 0, &end) != -1 || errno != ETIMEDOUT;
    return mq_unlink(name) || problem;
}
static void *rests(void *unused) {
    sleep(2 * hour);
    return unused;
}
static int joins(void) {
    struct timespec end = later(CLOCK_REALTIME);
    pthread_t thread;
    return pthread_create(&thread, NULL, rests, NULL)
        || pthread_timedjoin_np(thread, NULL, &end) != ETIMEDOUT || pthread_detach(thread);
}
static int receives(void) {
    char byte;
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return recv(pair[0], &byte, 1, 0) != -1 || errno != EAGAIN;
}
static int sends(void) {
    static const char bytes[4 << 20];
    setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    long sent = send(pair[0], bytes, sizeof bytes, 0);
    return sent <= 0 || sent == sizeof bytes;
}
static void *back_off(void *unused) {
    pthread_setname_np(pthread_self(), "VM Thread");
    usleep(1000);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}
/// As a JVM waits until its threads have stopped, before anything else can happen.
static int stops(void) {
    struct timespec end = later(CLOCK_REALTIME);
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    int problem = pthread_create(&thread, NULL, back_off, NULL)
        || pthread_cond_timedwait(&condition, &mutex, &end) || pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    return problem || sleep(hour);
}
/// As runtimes do that count a moment as past only when the clock shows more.
static int beyond(void) {
    struct timespec end = later(CLOCK_MONOTONIC), now;
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        long left = (end.tv_sec - now.tv_sec) * 1000000000 + end.tv_nsec - now.tv_nsec;
        if (left < 0) return 0;
        struct timespec rest = {left / 1000000000, left % 1000000000};
        ppoll(NULL, 0, &rest, NULL);
    }
}
static int awaits_child(void) {
    int state = 0, child = fork();
    if (child == 0) _exit(sleep(hour) == 0 ? 7 : 1);
    return waitpid(child, &state, 0) != child || WEXITSTATUS(state) != 7;
}
static void *answer(void *listener) {
    int peer = accept(*(int *)listener, NULL, NULL);
    sleep(hour);
    return close(peer) == 0 ? NULL : listener;
}
/// As a test does whose server is of its own process.
static int listens(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM, 0), file = socket(AF_INET, SOCK_STREAM, 0);
    char byte;
    pthread_t thread;
    if (bind(listener, (void *)&place, size) || listen(listener, 1)
        || getsockname(listener, (void *)&place, &size)
        || pthread_create(&thread, NULL, answer, &listener)
        || connect(file, (void *)&place, size)) return 1;
    return recv(file, &byte, 1, 0) != 0 || pthread_join(thread, NULL) || close(listener)
        || close(file);
}
/// Asks whether there is something, again and again, in the last second instead of waiting for it.
static int looks(void) {
    struct timespec end = later(CLOCK_MONOTONIC), now;
    struct epoll_event event;
    struct timeval none = {0, 0};
    int set = epoll_create1(0), found = 0;
    sleep(hour - 1);
    do {
        found += poll(NULL, 0, 0) + epoll_wait(set, &event, 1, 0);
        found += select(0, NULL, NULL, NULL, &none);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
    return found + close(set);
}

#define WAY(name) {#name, name}
static const struct { const char *name; int (*wait)(void); } ways[] = {
    WAY(sleeps), WAY(by_name), WAY(until), WAY(polls), WAY(polls_by_span), WAY(selects),
    WAY(selects_by_span), WAY(awaits_events), WAY(awaits_events_by_span), WAY(condition_until),
    WAY(condition_by_clock), WAY(semaphore_until), WAY(semaphore_by_clock), WAY(awaits_word),
    WAY(awaits_signal), WAY(alarms), WAY(timer), WAY(timer_of_clock), WAY(timer_of_file),
    WAY(timer_unread), WAY(set_of_semaphores), WAY(queue), WAY(joins),
    WAY(lock_until), WAY(lock_in_time), WAY(receives), WAY(sends), WAY(stops), WAY(beyond),
    WAY(looks), WAY(awaits_child), WAY(listens),
};

/// A call of the system as liburing makes it, of which the C library knows nothing.
static long past_library(long number, long first, long second) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long place __asm__("x8") = number;
    register long result __asm__("x0") = first;
    register long other __asm__("x1") = second;
    __asm__ volatile("svc 0" : "+r"(result) : "r"(place), "r"(other) : "memory");
    return result;
#endif
}

int main(void) {
    sem_init(&semaphore, 0, 0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = ignore}, NULL);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct timespec day, elapsed;
        clock_gettime(CLOCK_REALTIME, &day);
        clock_gettime(CLOCK_MONOTONIC, &elapsed);
        int problem = ways[i].wait();
        time_t began_day = day.tv_sec, began = elapsed.tv_sec;
        clock_gettime(CLOCK_REALTIME, &day);
        clock_gettime(CLOCK_MONOTONIC, &elapsed);
        printf("%s %d %ld %ld\n", ways[i].name, problem, day.tv_sec - began_day,
               elapsed.tv_sec - began);
        fflush(stdout);
    }
    char place[256] = "";
    long ring = past_library(SYS_io_uring_setup, 8, (long)place);
    printf("io_uring %s\n", ring == -ENOSYS ? "refused" : "seen by nobody");
}
