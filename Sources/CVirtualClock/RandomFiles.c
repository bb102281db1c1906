#define _GNU_SOURCE
#include "CVirtualClock.h"

#if defined(__linux__)
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// The system's files of random bytes, from which Foundation makes identifiers.

/// The definition of libc's function that a static link may replace.
#define INTERPOSED __attribute__((weak, visibility("default")))

/// The function that this file stands in for, looked up once; null in a fully static program,
/// which has no next library.
#define REAL(type, name, parameters)                                                               \
    static type(*found) parameters;                                                                \
    type(*real) parameters = __atomic_load_n(&found, __ATOMIC_RELAXED);                            \
    if (!real) {                                                                                   \
        real = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                        \
        __atomic_store_n(&found, real, __ATOMIC_RELAXED);                                          \
    }

/// As many as a process may have open where the system's limit was not raised; a page of it is
/// used when a file with such a number is closed.
enum { filesMax = 1 << 20 };
static atomic_char is_random[filesMax];

static int noted(int file, const char *path) {
    if (file < 0 || (strcmp(path, "/dev/urandom") != 0 && strcmp(path, "/dev/random") != 0)) {
        return file;
    }
    if (file >= filesMax) {
        // What is read from it could not be a simulation's.
        syscall(SYS_close, file);
        errno = EMFILE;
        return -1;
    }
    atomic_store(&is_random[file], 1);
    return file;
}

static int may_create(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

INTERPOSED int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (may_create(flags)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    REAL(int, open, (const char *, int, ...));
    int file = real ? real(path, flags, mode)
                    : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    return noted(file, path);
}

INTERPOSED ssize_t read(int file, void *bytes, size_t count) {
    if (squall_random && file >= 0 && file < filesMax && atomic_load(&is_random[file])) {
        squall_fill_random(bytes, count);
        return (ssize_t)count;
    }
    REAL(ssize_t, read, (int, void *, size_t));
    return real ? real(file, bytes, count) : (ssize_t)syscall(SYS_read, file, bytes, count);
}

INTERPOSED int close(int file) {
    if (file >= 0 && file < filesMax) atomic_store(&is_random[file], 0);
    REAL(int, close, (int));
    return real ? real(file) : (int)syscall(SYS_close, file);
}
#endif
