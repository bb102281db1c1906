#include "Interposed.h"

#include <arpa/inet.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Reports what cannot be the world's: threads, sockets, timers of run loops.

INTERPOSED int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (WORLD) squall_hooks->escape(WORLD, "Thread", "a thread of its own was started");
    else squall_thread_was_started();
    typedef void *(*start_type)(void *);
    REAL(int, pthread_create, (pthread_t *, const pthread_attr_t *, start_type, void *));
    return real(thread, attributes, start, argument);
}

INTERPOSED int connect(int file, const struct sockaddr *address, socklen_t count) {
    int family = address ? address->sa_family : AF_UNSPEC;
    if (WORLD && (family == AF_INET || family == AF_INET6)) {
        char host[64] = "", text[96];
        const void *place = family == AF_INET
            ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
            : (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr;
        inet_ntop(family, place, host, sizeof host);
        int port = ntohs(((const struct sockaddr_in *)address)->sin_port);
        snprintf(text, sizeof text, "%s port %d", host, port);
        squall_hooks->escape(WORLD, "a connection to", text);
        errno = ENETUNREACH;
        return -1;
    }
    REAL(int, connect, (int, const struct sockaddr *, socklen_t));
    return real(file, address, count);
}

static int is_internet(const struct sockaddr *address) {
    return address && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

INTERPOSED ssize_t sendto(
    int file, const void *bytes, size_t count, int flags, const struct sockaddr *address,
    socklen_t size) {
    if (WORLD && is_internet(address)) {
        squall_hooks->escape(WORLD, "a connection to", "an address without a connection");
        errno = ENETUNREACH;
        return -1;
    }
    REAL(ssize_t, sendto,
         (int, const void *, size_t, int, const struct sockaddr *, socklen_t));
    return real(file, bytes, count, flags, address, size);
}

// Timers and processes of the system.

INTERPOSED unsigned alarm(unsigned seconds) {
    if (WORLD) squall_hooks->escape(WORLD, "a timer of the system", "alarm");
    REAL(unsigned, alarm, (unsigned));
    return real(seconds);
}

INTERPOSED int setitimer(
    __itimer_which_t which, const struct itimerval *span, struct itimerval *old) {
    if (WORLD) squall_hooks->escape(WORLD, "a timer of the system", "setitimer");
    REAL(int, setitimer, (__itimer_which_t, const struct itimerval *, struct itimerval *));
    return real(which, span, old);
}

INTERPOSED int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
    if (WORLD) squall_hooks->escape(WORLD, "a timer of the system", "timer_create");
    REAL(int, timer_create, (clockid_t, struct sigevent *, timer_t *));
    return real(clock, event, timer);
}

INTERPOSED int posix_spawn(
    pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
    if (WORLD) squall_hooks->escape(WORLD, "a process", path);
    typedef const posix_spawn_file_actions_t *actions_type;
    typedef const posix_spawnattr_t *attributes_type;
    REAL(int, posix_spawn,
         (pid_t *, const char *, actions_type, attributes_type, char *const[], char *const[]));
    return real(child, path, actions, attributes, words, environment);
}

INTERPOSED int getaddrinfo(
    const char *host, const char *service, const struct addrinfo *hints,
    struct addrinfo **result) {
    if (WORLD) {
        squall_hooks->escape(WORLD, "a look-up of the host", host ? host : "");
        return EAI_FAIL;
    }
    typedef struct addrinfo info;
    REAL(int, getaddrinfo, (const char *, const char *, const info *, info **));
    return real(host, service, hints, result);
}

// Run loops of Foundation: time passes in them, their timers and sources do not work.

INTERPOSED void CFRunLoopAddTimer(void *loop, void *timer, void *mode) {
    if (WORLD) squall_hooks->escape(WORLD, "Timer", "a timer of a run loop");
    REAL(void, CFRunLoopAddTimer, (void *, void *, void *));
    if (real) real(loop, timer, mode);
}

INTERPOSED int CFRunLoopRunInMode(void *mode, double seconds, unsigned char returnsEarly) {
    if (WORLD) {
        long long span = seconds > 9e9 ? -1 : llround(seconds * 1e9);
        squall_hook_wait(0, squall_wait_run_loop, span < 0 && seconds < 0 ? 0 : span);
        return 3;  // Timed out.
    }
    REAL(int, CFRunLoopRunInMode, (void *, double, unsigned char));
    return real ? real(mode, seconds, returnsEarly) : 1;
}

/// 1 on the main queue and as the main actor: Foundation's `Thread` asks.
INTERPOSED unsigned char _CFIsMainThread(void) {
    if (WORLD) return squall_hooks->is_current(WORLD, squall_main_queue(), 0) != 0;
    REAL(unsigned char, _CFIsMainThread, (void));
    return real ? real() : 0;
}
