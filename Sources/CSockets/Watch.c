#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// SQUALL_WITHOUT_EPOLL chooses the other implementation on Linux, so that it can be tried there.
#if defined(__linux__) && !defined(SQUALL_WITHOUT_EPOLL)
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>

struct squall_watch {
    int file;
    int has_no_nanoseconds;
};

struct squall_watch *squall_watch_create(void) {
    struct squall_watch *watch = calloc(1, sizeof *watch);
    if (watch && (watch->file = epoll_create1(EPOLL_CLOEXEC)) < 0) {
        free(watch);
        return 0;
    }
    return watch;
}

void squall_watch_free(struct squall_watch *watch) {
    close(watch->file);
    free(watch);
}

int squall_watch_set(struct squall_watch *watch, int file, unsigned int events, int is_new) {
    struct epoll_event event = {.data.fd = file};
    if (events & squall_readable) event.events |= EPOLLIN;
    if (events & squall_writable) event.events |= EPOLLOUT;
    int result = epoll_ctl(watch->file, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, file, &event);
    return result < 0 ? -errno : 0;
}

void squall_watch_remove(struct squall_watch *watch, int file) {
    struct epoll_event none = {0};
    epoll_ctl(watch->file, EPOLL_CTL_DEL, file, &none);
}

static int waited(struct squall_watch *watch, long long span, struct epoll_event *events, int count) {
#ifdef SYS_epoll_pwait2
    // Since Linux 5.11; a wait in whole milliseconds makes everything up to one late.
    if (!watch->has_no_nanoseconds) {
        struct timespec left = {span / 1000000000, span % 1000000000};
        int ready = (int)syscall(SYS_epoll_pwait2, watch->file, events, count, &left, (void *)0, 8L);
        if (ready >= 0 || (errno != ENOSYS && errno != EPERM)) return ready;
        watch->has_no_nanoseconds = 1;
    }
#endif
    return epoll_wait(watch->file, events, count, (int)((span + 999999) / 1000000));
}

int squall_watch_wait(
    struct squall_watch *watch, long long nanoseconds, struct squall_ready *ready, int count) {
    struct epoll_event events[64];
    if (count > 64) count = 64;
    int found = waited(watch, nanoseconds, events, count);
    if (found < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < found; i++) {
        ready[i].file = events[i].data.fd;
        ready[i].events = (events[i].events & EPOLLIN ? squall_readable : 0)
            | (events[i].events & EPOLLOUT ? squall_writable : 0)
            | (events[i].events & (EPOLLERR | EPOLLHUP) ? squall_broken : 0);
    }
    return found;
}

#else
#include <poll.h>

struct squall_watch {
    struct pollfd *files;
    int count;
    int capacity;
    /// Where the next wait begins to look, so that no file is starved.
    int first;
};

struct squall_watch *squall_watch_create(void) { return calloc(1, sizeof(struct squall_watch)); }

void squall_watch_free(struct squall_watch *watch) {
    free(watch->files);
    free(watch);
}

int squall_watch_set(struct squall_watch *watch, int file, unsigned int events, int is_new) {
    short wanted = (events & squall_readable ? POLLIN : 0) | (events & squall_writable ? POLLOUT : 0);
    for (int i = 0; i < watch->count; i++) {
        if (watch->files[i].fd != file) continue;
        watch->files[i].events = wanted;
        return 0;
    }
    if (!is_new) return -ENOENT;
    if (watch->count == watch->capacity) {
        int capacity = watch->capacity ? watch->capacity * 2 : 64;
        struct pollfd *files = realloc(watch->files, capacity * sizeof *files);
        if (!files) return -ENOMEM;
        watch->files = files;
        watch->capacity = capacity;
    }
    watch->files[watch->count++] = (struct pollfd){.fd = file, .events = wanted};
    return 0;
}

void squall_watch_remove(struct squall_watch *watch, int file) {
    for (int i = 0; i < watch->count; i++) {
        if (watch->files[i].fd != file) continue;
        watch->files[i] = watch->files[--watch->count];
        return;
    }
}

int squall_watch_wait(
    struct squall_watch *watch, long long nanoseconds, struct squall_ready *ready, int count) {
    int found = poll(watch->files, watch->count, (int)((nanoseconds + 999999) / 1000000));
    if (found < 0) return errno == EINTR ? 0 : -errno;
    int told = 0;
    for (int i = 0; i < watch->count && told < count; i++) {
        struct pollfd *file = &watch->files[(watch->first + i) % watch->count];
        if (!file->revents) continue;
        ready[told].file = file->fd;
        ready[told++].events = (file->revents & POLLIN ? squall_readable : 0)
            | (file->revents & POLLOUT ? squall_writable : 0)
            | (file->revents & (POLLERR | POLLHUP | POLLNVAL) ? squall_broken : 0);
    }
    if (watch->count) watch->first = (watch->first + 1) % watch->count;
    return told;
}
#endif
