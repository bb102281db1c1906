#define _GNU_SOURCE
#include "CSockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static int prepared(int file) {
    if (file < 0) return -errno;
    int flags = fcntl(file, F_GETFL);
    if (flags < 0 || fcntl(file, F_SETFL, flags | O_NONBLOCK) < 0
        || fcntl(file, F_SETFD, FD_CLOEXEC) < 0) {
        int problem = errno;
        close(file);
        return -problem;
    }
#ifdef SO_NOSIGPIPE
    int one = 1;
    setsockopt(file, SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof one);
#endif
    return file;
}

static int failed(int file) {
    int problem = errno;
    close(file);
    return -problem;
}

int squall_listen(const char *address, unsigned short port, unsigned short *bound) {
    struct sockaddr_in old = {0};
    struct sockaddr_in6 new = {0};
    int is_old = inet_pton(AF_INET, address, &old.sin_addr) == 1;
    if (!is_old && inet_pton(AF_INET6, address, &new.sin6_addr) != 1) return -EINVAL;
    old.sin_family = AF_INET;
    old.sin_port = htons(port);
    new.sin6_family = AF_INET6;
    new.sin6_port = htons(port);
    struct sockaddr *place = is_old ? (struct sockaddr *)&old : (struct sockaddr *)&new;
    socklen_t size = is_old ? sizeof old : sizeof new;
    int file = prepared(socket(place->sa_family, SOCK_STREAM, 0));
    if (file < 0) return file;
    int one = 1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (!is_old) setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(file, place, size) < 0 || listen(file, 4096) < 0
        || getsockname(file, place, &size) < 0) return failed(file);
    *bound = ntohs(is_old ? old.sin_port : new.sin6_port);
    return file;
}

int squall_accept(int listener) {
#ifdef __linux__
    int file = accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return -errno;
#else
    int file = prepared(accept(listener, 0, 0));
    if (file < 0) return file;
#endif
    int one = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return file;
}

int squall_resolve(
    const char *host, unsigned short port, struct squall_address *addresses, int count) {
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    struct addrinfo wish = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int result = getaddrinfo(host, service, &wish, &found);
    // The system's numbers are negative here and positive there.
    if (result) return result < 0 ? result : -result;
    int used = 0;
    for (struct addrinfo *each = found; each && used < count; each = each->ai_next) {
        if (each->ai_addrlen > sizeof addresses->bytes) continue;
        memcpy(addresses[used].bytes, each->ai_addr, each->ai_addrlen);
        addresses[used++].size = each->ai_addrlen;
    }
    freeaddrinfo(found);
    return used;
}

const char *squall_resolve_problem(int result) {
    return gai_strerror(EAI_NONAME < 0 ? result : -result);
}

int squall_connect(const struct squall_address *address) {
    struct sockaddr_storage place = {0};
    memcpy(&place, address->bytes, address->size);
    int file = prepared(socket(place.ss_family, SOCK_STREAM, 0));
    if (file < 0) return file;
    int one = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(file, (struct sockaddr *)&place, address->size) < 0 && errno != EINPROGRESS
        && errno != EINTR) return failed(file);
    return file;
}

int squall_connected(int file) {
    int problem = 0;
    socklen_t size = sizeof problem;
    if (getsockopt(file, SOL_SOCKET, SO_ERROR, &problem, &size) < 0) return -errno;
    if (problem) return -problem;
    struct sockaddr_storage peer;
    size = sizeof peer;
    if (getpeername(file, (struct sockaddr *)&peer, &size) == 0) return 0;
    return errno == ENOTCONN ? -EINPROGRESS : -errno;
}

int squall_in_progress(long result) { return result == -EINPROGRESS; }

const char *squall_problem_text(int number) { return strerror(number); }

long squall_receive(int file, void *buffer, unsigned long size) {
    long count;
    do count = recv(file, buffer, size, 0);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

long squall_send(int file, const void *bytes, unsigned long size) {
#ifdef MSG_NOSIGNAL
    int flags = MSG_NOSIGNAL;
#else
    int flags = 0;
#endif
    long count;
    do count = send(file, bytes, size, flags);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

void squall_end_output(int file) { shutdown(file, SHUT_WR); }

void squall_close(int file, int is_reset) {
    if (is_reset) {
        struct linger none = {.l_onoff = 1, .l_linger = 0};
        setsockopt(file, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    close(file);
}

int squall_would_block(long result) { return result == -EAGAIN || result == -EWOULDBLOCK; }

int squall_out_of_files(long result) {
    return result == -EMFILE || result == -ENFILE || result == -ENOBUFS || result == -ENOMEM;
}

long squall_raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    return limit.rlim_cur > 1 << 20 ? 1 << 20 : (long)limit.rlim_cur;
}

void squall_exact_timers(void) {
#ifdef __linux__
    // By default they may be 50 µs late.
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
#endif
}
