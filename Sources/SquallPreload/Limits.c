#include "Process.h"

#ifdef __linux__
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>

// A socket's own limits of time, SO_RCVTIMEO and SO_SNDTIMEO, are kept here instead of by the
// system: whoever receives or sends waits in a poll with that deadline first.

enum { files_max = 65536, nonblocking = 04000 };
/// In milliseconds; 0 for none. First those of receiving.
static _Atomic uint32_t limits[2][files_max];

static uint32_t limit_of(int file, int sends) {
    return file >= 0 && file < files_max ? atomic_load(&limits[sends][file]) : 0;
}

int squall_is_in_time(int file, int sends, int flags) {
    uint32_t limit = limit_of(file, sends);
    if (!limit || flags & MSG_DONTWAIT
        || squall_system(SYS_fcntl, file, 3 /* F_GETFL */, 0, 0, 0, 0) & nonblocking) return 1;
    struct pollfd wanted = {.fd = file, .events = sends ? POLLOUT : POLLIN};
    int ready = poll(&wanted, 1, limit < INT32_MAX ? (int)limit : -1);
    if (ready == 0) errno = EAGAIN;
    return ready > 0;
}

void squall_forget_limits(int file) {
    if (file < 0 || file >= files_max) return;
    atomic_store(&limits[0][file], 0);
    atomic_store(&limits[1][file], 0);
}

int setsockopt(int file, int level, int option, const void *value, socklen_t size) {
    if (!squall_joined() || level != SOL_SOCKET || (option != SO_RCVTIMEO && option != SO_SNDTIMEO)
        || file < 0 || file >= files_max || size < sizeof(struct timeval)) {
        return REAL(setsockopt)(file, level, option, value, size);
    }
    const struct timeval *span = value;
    int64_t limit = span->tv_sec * 1000 + (span->tv_usec + 999) / 1000;
    atomic_store(&limits[option == SO_SNDTIMEO][file], (uint32_t)(limit < INT32_MAX ? limit : 0));
    return 0;
}

int getsockopt(int file, int level, int option, void *restrict value, socklen_t *restrict size) {
    if (!squall_joined() || level != SOL_SOCKET || (option != SO_RCVTIMEO && option != SO_SNDTIMEO)
        || *size < sizeof(struct timeval)) {
        return REAL(getsockopt)(file, level, option, value, size);
    }
    uint32_t limit = limit_of(file, option == SO_SNDTIMEO);
    *(struct timeval *)value = (struct timeval){limit / 1000, limit % 1000 * 1000};
    *size = sizeof(struct timeval);
    return 0;
}

// Receiving

#define IN_TIME(sends, flags, call) (squall_is_in_time(file, sends, flags) ? (call) : -1)

ssize_t recv(int file, void *buffer, size_t size, int flags) {
    return IN_TIME(0, flags, REAL(recv)(file, buffer, size, flags));
}

ssize_t __recv_chk(int file, void *buffer, size_t size, size_t room, int flags) {
    if (size > room) abort();
    return recv(file, buffer, size, flags);
}

ssize_t recvfrom(
    int file, void *restrict buffer, size_t size, int flags, struct sockaddr *restrict from,
    socklen_t *restrict length) {
    return IN_TIME(0, flags, REAL(recvfrom)(file, buffer, size, flags, from, length));
}

ssize_t __recvfrom_chk(
    int file, void *restrict buffer, size_t size, size_t room, int flags,
    struct sockaddr *restrict from, socklen_t *restrict length) {
    if (size > room) abort();
    return recvfrom(file, buffer, size, flags, from, length);
}

ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    return IN_TIME(0, flags, REAL(recvmsg)(file, message, flags));
}

ssize_t readv(int file, const struct iovec *parts, int count) {
    return IN_TIME(0, 0, REAL(readv)(file, parts, count));
}

static int accepted(int file) {
    if (file >= 0 && squall_joined()) squall_sends_at_once(file);
    return file;
}

int accept(int file, struct sockaddr *restrict from, socklen_t *restrict length) {
    return accepted(IN_TIME(0, 0, REAL(accept)(file, from, length)));
}

int accept4(int file, struct sockaddr *restrict from, socklen_t *restrict length, int flags) {
    return accepted(IN_TIME(0, 0, REAL(accept4)(file, from, length, flags)));
}

// Sending

ssize_t sendto(
    int file, const void *buffer, size_t size, int flags, const struct sockaddr *to,
    socklen_t length) {
    if (!limit_of(file, 1)) return REAL(sendto)(file, buffer, size, flags, to, length);
    // What has no room at once must not wait where no deadline is seen.
    size_t sent = 0;
    do {
        ssize_t count = -1;
        if (squall_is_in_time(file, 1, flags)) {
            count = REAL(sendto)(
                file, (const char *)buffer + sent, size - sent, flags | MSG_DONTWAIT, to, length);
            if (count < 0 && errno == EAGAIN && !(flags & MSG_DONTWAIT)) continue;
        }
        if (count < 0) return sent > 0 ? (ssize_t)sent : -1;
        sent += (size_t)count;
    } while (sent < size);
    return (ssize_t)sent;
}

ssize_t send(int file, const void *buffer, size_t size, int flags) {
    return sendto(file, buffer, size, flags, NULL, 0);
}

ssize_t write(int file, const void *buffer, size_t size) {
    return limit_of(file, 1) ? sendto(file, buffer, size, 0, NULL, 0)
                             : REAL(write)(file, buffer, size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    return IN_TIME(1, 0, REAL(writev)(file, parts, count));
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    return IN_TIME(1, flags, REAL(sendmsg)(file, message, flags));
}
#endif
