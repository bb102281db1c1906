#include "Process.h"

#ifdef __linux__
#include <arpa/inet.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

long squall_system(long number, long a, long b, long c, long d, long e, long f) {
    static long (*real)(long, ...);
    long (*found)(long, ...) = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (!found) {
        found = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
        __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    }
    return found(number, a, b, c, d, e, f);
}

static int is_own(void *function) {
    Dl_info own, other;
    return dladdr((void *)squall_system, &own) && dladdr(function, &other)
        && own.dli_fbase == other.dli_fbase;
}

/// Where a program asks a library for a function of the C library, as a JVM of Java 11 does for
/// its clocks and callers of foreign functions do, it gets this library's. Who asks for the next
/// one is told by the place of the call, which a tail call keeps.
void *dlsym(void *restrict handle, const char *restrict name) {
#if defined(__x86_64__)
    static const char version[] = "GLIBC_2.2.5";
#else
    static const char version[] = "GLIBC_2.17";
#endif
    static void *(*real)(void *, const char *);
    if (!real) real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", version);
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT && squall_joined()) {
        void *found = real(handle, name);
        if (!found) return NULL;
        void *next = real(RTLD_NEXT, name), *own = real(RTLD_DEFAULT, name);
        dlerror();
        return found == next && own != next && is_own(own) ? own : found;
    }
    __attribute__((musttail)) return real(handle, name);
}

/// Waits for a word's change as a runtime does that has locks of its own.
static long await_word(
    _Atomic uint32_t *word, int operation, uint32_t seen, int64_t deadline, long mask) {
    for (;;) {
        if (squall_now() >= deadline) {
            errno = atomic_load(word) == seen ? ETIMEDOUT : EAGAIN;
            return -1;
        }
        struct squall_waiter *place = squall_begin_wait(squall_awaits_word, deadline);
        squall_let_through(1);
        long result = squall_system(SYS_futex, (long)word, operation, seen, 0, 0, mask);
        int problem = errno;
        squall_let_through(0);
        squall_end_wait(place);
        if (result < 0 && problem == EINTR && squall_was_struck(place)) continue;
        errno = problem;
        return result;
    }
}

static int is_wait(int operation) {
    int bare = operation & FUTEX_CMD_MASK;
    return bare == FUTEX_WAIT || bare == FUTEX_WAIT_BITSET;
}

static long futex(long word, int operation, uint32_t seen, const struct timespec *end, long mask) {
    int64_t deadline = SQUALL_NEVER;
    if (end && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT) {
        deadline = squall_after(squall_nanoseconds(end));
    } else if (end) {
        clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
        deadline = squall_at(end, clock);
    }
    return await_word(
        (_Atomic uint32_t *)word, operation & ~FUTEX_CLOCK_REALTIME, seen, deadline, mask);
}

/// The next bytes of this process's random numbers: the same in each run of a world.
static void fill(void *buffer, size_t size) {
    static _Atomic uint64_t counter;
    static _Atomic int32_t owner;
    struct squall_world *world = squall_joined();
    int32_t process = getpid();
    if (atomic_exchange(&owner, process) != process) {
        atomic_store(&counter, ((uint64_t)atomic_fetch_add(&world->generations, 1) + 1) << 40);
    }
    unsigned char *place = buffer;
    while (size > 0) {
        uint64_t count = atomic_fetch_add(&counter, 1) + 1;
        uint64_t word = squall_mixed(world->seed + count * squall_mixing_step);
        size_t part = size < sizeof word ? size : sizeof word;
        memcpy(place, &word, part);
        place += part;
        size -= part;
    }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    if (!squall_joined()) return squall_system(SYS_getrandom, (long)buffer, size, flags, 0, 0, 0);
    fill(buffer, size);
    return (ssize_t)size;
}

int getentropy(void *buffer, size_t size) {
    if (!squall_joined()) return REAL(getentropy)(buffer, size);
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    fill(buffer, size);
    return 0;
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (squall_joined()) {
        switch (number) {
        case SYS_futex:
            if (is_wait((int)b)) return futex(a, (int)b, (uint32_t)c, (void *)d, f);
            break;
        case SYS_clock_gettime: return clock_gettime((clockid_t)a, (struct timespec *)b);
        case SYS_nanosleep: return nanosleep((void *)a, (void *)b);
        case SYS_clock_nanosleep: {
            int problem = clock_nanosleep((clockid_t)a, (int)b, (void *)c, (void *)d);
            if (problem) errno = problem;
            return problem ? -1 : 0;
        }
        case SYS_epoll_pwait2:
            return epoll_pwait2((int)a, (void *)b, (int)c, (void *)d, (void *)e);
        case SYS_getrandom: return getrandom((void *)a, (size_t)b, (unsigned)c);
        default: break;
        }
    }
    return squall_system(number, a, b, c, d, e, f);
}

/// Notes that a connection leads to another machine, where time is real.
static void note_outside(const struct sockaddr *address) {
    struct squall_world *world = squall_joined();
    char text[INET6_ADDRSTRLEN] = "";
    unsigned port = 0;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *old = (const void *)address;
        uint32_t host = ntohl(old->sin_addr.s_addr);
        if (host >> 24 == 127 || host == 0) return;
        inet_ntop(AF_INET, &old->sin_addr, text, sizeof text);
        port = ntohs(old->sin_port);
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *new = (const void *)address;
        const struct in6_addr *host = &new->sin6_addr;
        if (IN6_IS_ADDR_LOOPBACK(host) || IN6_IS_ADDR_UNSPECIFIED(host)
            || (IN6_IS_ADDR_V4MAPPED(host) && host->s6_addr[12] == 127)) return;
        inet_ntop(AF_INET6, host, text, sizeof text);
        port = ntohs(new->sin6_port);
    } else {
        return;
    }
    if (atomic_fetch_add(&world->outside, 1) == 0) {
        snprintf(world->outside_address, sizeof world->outside_address, "%s port %u", text, port);
    }
}

/// Nagle's algorithm keeps a second small packet back until the first is acknowledged, which takes
/// up to 40 ms of real time: nothing would be on its way meanwhile, and the clock would move.
void squall_sends_at_once(int file) {
    int problem = errno, is_set = 1;
    REAL(setsockopt)(file, IPPROTO_TCP, TCP_NODELAY, &is_set, sizeof is_set);
    errno = problem;
}

int connect(int file, const struct sockaddr *address, socklen_t size) {
    int type = 0;
    socklen_t length = sizeof type;
    if (squall_joined() && address && size >= sizeof(sa_family_t)
        && getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM) {
        note_outside(address);
        squall_sends_at_once(file);
    }
    return REAL(connect)(file, address, size);
}
#endif
