// Preloaded into a process, lets one call of the C library fail: the one whose number is in the
// environment, as SQUALL_FAIL=write:3. The calls of a kind are counted over the whole process, and
// only those that write to files. Kinds: write, rename, mkdir, open, fsync, malloc. When it happens
// the file in SQUALL_FAILED is made, so that whoever started the process knows.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls[6];
static const char *const kinds[] = {"write", "rename", "mkdir", "open", "fsync", "malloc"};
enum kind { writing, renaming, making, opening, syncing, allocating };

// The plan is read once, before anything else of the process runs.
static int planned_kind = -1;
static long planned_call = 0;
static const char *mark = 0;

__attribute__((constructor)) static void read_plan(void) {
    const char *plan = getenv("SQUALL_FAIL");
    const char *colon = plan ? strchr(plan, ':') : 0;
    if (!colon) {
        return;
    }
    for (int kind = 0; kind < 6; kind++) {
        unsigned long length = strlen(kinds[kind]);
        if ((unsigned long)(colon - plan) == length && strncmp(plan, kinds[kind], length) == 0) {
            mark = getenv("SQUALL_FAILED");
            planned_call = atol(colon + 1);
            planned_kind = kind;
        }
    }
}

static int fails(enum kind kind) {
    if ((int)kind != planned_kind) {
        return 0;
    }
    if (atomic_fetch_add(&calls[kind], 1) + 1 != planned_call) {
        return 0;
    }
    if (mark) {
        long file = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        syscall(SYS_close, file);
    }
    return 1;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    // Messages get through: only files fail.
    if (descriptor > 2 && fails(writing)) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, descriptor, bytes, size);
}

int rename(const char *from, const char *to) {
    if (fails(renaming)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int mkdir(const char *path, mode_t mode) {
    if (fails(making)) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_ACCMODE) != O_RDONLY && fails(opening)) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fsync(int descriptor) {
    if (fails(syncing)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, descriptor);
}

void *malloc(size_t size) {
    static void *(*real)(size_t) = 0;
    if (!real) {
        real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    }
    if (planned_kind == allocating && fails(allocating)) {
        errno = ENOMEM;
        return 0;
    }
    return real(size);
}
