// Preloaded into a process, lets calls of the C library fail: those of one kind, and of them the
// one whose number is in the environment, as FAILING_CALL=write:3, or all, as FAILING_CALL=flock:all.
// A third part says with which error, by its number: FAILING_CALL=flock:all:38. The calls of a kind
// are counted over a process. When the first fails, the file in FAILED_CALL is made, so that what
// started the process knows; where it is there already, as for a child process, only "all" fails.

#define _GNU_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
    OPEN, OPENREAD, WRITE, READ, CLOSE, FSYNC, RENAME, MKDIR, RMDIR, UNLINK, LINK, SYMLINK,
    READLINK, CHMOD, FLOCK, FCNTL, FSTAT, STAT, LSTAT, ACCESS, OPENDIR, READDIR, TREE, MKSTEMP,
    MKDTEMP, GETCWD, REALPATH, FOPEN, LSEEK, PIPE, DUP, SPAWN, WAIT, THREAD, MMAP, MPROTECT,
    EPOLL, EVENTFD, SIGNALFD, TIMERFD, IOCTL, MALLOC, CALLOC, REALLOC, MEMALIGN, KINDS
};

static const struct {
    const char *name;
    int error;
} kinds[KINDS] = {
    [OPEN] = {"open", EMFILE},        [OPENREAD] = {"openread", EMFILE},
    [WRITE] = {"write", ENOSPC},      [READ] = {"read", EIO},
    [CLOSE] = {"close", EIO},         [FSYNC] = {"fsync", EIO},
    [RENAME] = {"rename", EIO},       [MKDIR] = {"mkdir", EACCES},
    [RMDIR] = {"rmdir", EBUSY},       [UNLINK] = {"unlink", EPERM},
    [LINK] = {"link", EPERM},         [SYMLINK] = {"symlink", EPERM},
    [READLINK] = {"readlink", EIO},   [CHMOD] = {"chmod", EPERM},
    [FLOCK] = {"flock", ENOLCK},      [FCNTL] = {"fcntl", EINVAL},
    [FSTAT] = {"fstat", EIO},         [STAT] = {"stat", EIO},
    [LSTAT] = {"lstat", EIO},         [ACCESS] = {"access", EACCES},
    [OPENDIR] = {"opendir", EMFILE},  [READDIR] = {"readdir", EIO},
    [TREE] = {"fts", ENOMEM},          [MKSTEMP] = {"mkstemp", EMFILE},
    [MKDTEMP] = {"mkdtemp", ENOSPC},  [GETCWD] = {"getcwd", ENOENT},
    [REALPATH] = {"realpath", EIO},   [FOPEN] = {"fopen", EMFILE},
    [LSEEK] = {"lseek", ESPIPE},      [PIPE] = {"pipe", EMFILE},
    [DUP] = {"dup", EMFILE},          [SPAWN] = {"spawn", EAGAIN},
    [WAIT] = {"wait", EINTR},         [THREAD] = {"thread", EAGAIN},
    [MMAP] = {"mmap", ENOMEM},        [MPROTECT] = {"mprotect", ENOMEM},
    [EPOLL] = {"epoll", ENOMEM},      [EVENTFD] = {"eventfd", EMFILE},
    [SIGNALFD] = {"signalfd", EMFILE}, [TIMERFD] = {"timerfd", EMFILE},
    [IOCTL] = {"ioctl", ENOTTY},      [MALLOC] = {"malloc", ENOMEM},
    [CALLOC] = {"calloc", ENOMEM},    [REALLOC] = {"realloc", ENOMEM},
    [MEMALIGN] = {"memalign", ENOMEM},
};

// The plan is read once, before anything else of the process runs.
static int planned_kind = -1;
static long planned_call = 0;
static int planned_error = 0;
static const char *mark = 0;
static atomic_long calls = 0;

__attribute__((constructor)) static void read_plan(void) {
    const char *plan = getenv("FAILING_CALL");
    const char *colon = plan ? strchr(plan, ':') : 0;
    if (!colon) {
        return;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        unsigned long length = strlen(kinds[kind].name);
        if ((unsigned long)(colon - plan) == length && !strncmp(plan, kinds[kind].name, length)) {
            const char *error = strchr(colon + 1, ':');
            mark = getenv("FAILED_CALL");
            planned_call = strncmp(colon + 1, "all", 3) ? atol(colon + 1) : 0;
            planned_error = error ? atoi(error + 1) : kinds[kind].error;
            planned_kind = kind;
        }
    }
}

// The error that a call of a kind ends with; 0 when it is made.
static int failure(enum kind kind) {
    if ((int)kind != planned_kind) {
        return 0;
    }
    if (planned_call != 0 && atomic_fetch_add(&calls, 1) + 1 != planned_call) {
        return 0;
    }
    if (mark) {
        int flags = O_CREAT | O_WRONLY | O_CLOEXEC | (planned_call ? O_EXCL : 0);
        long file = syscall(SYS_openat, AT_FDCWD, mark, flags, 0644);
        if (file < 0) {
            return planned_call ? 0 : planned_error;
        }
        syscall(SYS_close, file);
    }
    return planned_error;
}

static int fails(enum kind kind) {
    int error = failure(kind);
    if (error) {
        errno = error;
    }
    return error;
}

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

// A call that answers -1, or null, when it fails.
#define FAILING(result, name, parameters, arguments, kind, failed)                                 \
    result name parameters {                                                                       \
        static __typeof__(&name) own = 0;                                                          \
        if (!own) {                                                                                \
            own = REAL(name);                                                                      \
        }                                                                                          \
        return fails(kind) ? (failed) : own arguments;                                             \
    }

ssize_t write(int descriptor, const void *bytes, size_t size) {
    // Messages get through: only files fail.
    return descriptor > 2 && fails(WRITE) ? -1 : syscall(SYS_write, descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    return fails(WRITE) ? -1 : syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
    return fails(READ) ? -1 : syscall(SYS_read, descriptor, bytes, size);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
    return fails(READ) ? -1 : syscall(SYS_pread64, descriptor, bytes, size, offset);
}

int close(int descriptor) {
    // Linux closes it in any case.
    int result = (int)syscall(SYS_close, descriptor);
    return result == 0 && fails(CLOSE) ? -1 : result;
}

static int opened(const char *path, int flags, mode_t mode) {
    enum kind kind = (flags & O_ACCMODE) == O_RDONLY ? OPENREAD : OPEN;
    return fails(kind) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define MODE(flags, mode)                                                                          \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode = va_arg(rest, mode_t);                                                               \
        va_end(rest);                                                                              \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(path, flags, mode);
}

int fcntl(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fails(FCNTL) ? -1 : (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return fails(IOCTL) ? -1 : (int)syscall(SYS_ioctl, descriptor, request, argument);
}

FAILING(int, fsync, (int file), (file), FSYNC, -1)
FAILING(int, ftruncate, (int file, off_t size), (file, size), FSYNC, -1)
FAILING(int, rename, (const char *from, const char *to), (from, to), RENAME, -1)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), MKDIR, -1)
FAILING(int, rmdir, (const char *path), (path), RMDIR, -1)
FAILING(int, unlink, (const char *path), (path), UNLINK, -1)
FAILING(int, link, (const char *from, const char *to), (from, to), LINK, -1)
FAILING(int, symlink, (const char *from, const char *to), (from, to), SYMLINK, -1)
FAILING(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size), READLINK, -1)
FAILING(int, chmod, (const char *path, mode_t mode), (path, mode), CHMOD, -1)
FAILING(int, fchmod, (int file, mode_t mode), (file, mode), CHMOD, -1)
FAILING(int, flock, (int file, int operation), (file, operation), FLOCK, -1)
FAILING(int, fstat, (int file, struct stat *facts), (file, facts), FSTAT, -1)
FAILING(int, stat, (const char *path, struct stat *facts), (path, facts), STAT, -1)
FAILING(int, lstat, (const char *path, struct stat *facts), (path, facts), LSTAT, -1)
FAILING(int, access, (const char *path, int mode), (path, mode), ACCESS, -1)
FAILING(DIR *, opendir, (const char *path), (path), OPENDIR, 0)
FAILING(struct dirent *, readdir, (DIR * folder), (folder), READDIR, 0)
FAILING(FTS *, fts_open,
        (char *const *paths, int options, int (*order)(const FTSENT **, const FTSENT **)),
        (paths, options, order), TREE, 0)
FAILING(FTSENT *, fts_read, (FTS * tree), (tree), TREE, 0)
FAILING(int, mkstemp, (char *path), (path), MKSTEMP, -1)
FAILING(char *, mkdtemp, (char *path), (path), MKDTEMP, 0)
FAILING(char *, getcwd, (char *path, size_t size), (path, size), GETCWD, 0)
FAILING(char *, realpath, (const char *path, char *resolved), (path, resolved), REALPATH, 0)
FAILING(FILE *, fopen, (const char *path, const char *mode), (path, mode), FOPEN, 0)
FAILING(off_t, lseek, (int file, off_t offset, int from), (file, offset, from), LSEEK, -1)
FAILING(int, pipe, (int *ends), (ends), PIPE, -1)
FAILING(int, socketpair, (int domain, int type, int protocol, int *ends),
        (domain, type, protocol, ends), PIPE, -1)
FAILING(int, dup, (int file), (file), DUP, -1)
FAILING(int, dup2, (int file, int other), (file, other), DUP, -1)
FAILING(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), WAIT,
        -1)
FAILING(void *, mmap, (void *place, size_t size, int access, int flags, int file, off_t offset),
        (place, size, access, flags, file, offset), MMAP, MAP_FAILED)
FAILING(int, mprotect, (void *place, size_t size, int access), (place, size, access), MPROTECT, -1)
FAILING(int, epoll_create1, (int flags), (flags), EPOLL, -1)
FAILING(int, epoll_ctl, (int poll, int operation, int file, struct epoll_event *event),
        (poll, operation, file, event), EPOLL, -1)
FAILING(int, eventfd, (unsigned value, int flags), (value, flags), EVENTFD, -1)
FAILING(int, signalfd, (int file, const sigset_t *signals, int flags), (file, signals, flags),
        SIGNALFD, -1)
FAILING(int, timerfd_create, (int clock, int flags), (clock, flags), TIMERFD, -1)

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *words, char *const *environment) {
    int error = failure(SPAWN);
    return error ? error
                 : REAL(posix_spawn)(process, path, actions, attributes, words, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) {
    int error = failure(THREAD);
    return error ? error : REAL(pthread_create)(thread, attributes, body, argument);
}

// The library's own names: looking for them would allocate.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails(MALLOC) ? 0 : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return fails(CALLOC) ? 0 : __libc_calloc(count, size); }

void *realloc(void *block, size_t size) { return fails(REALLOC) ? 0 : __libc_realloc(block, size); }

void *aligned_alloc(size_t alignment, size_t size) {
    return fails(MEMALIGN) ? 0 : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    int error = fails(MEMALIGN);
    if (error) {
        return error;
    }
    void *made = __libc_memalign(alignment, size);
    if (!made) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}
