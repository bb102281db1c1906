#include "Interposed.h"

#include <linux/futex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Chance, of which a world has its own; and the lock of the Swift library, which like chance goes
// to the system directly.

static void fill(void *bytes, size_t count) { squall_hooks->fill_random(WORLD, bytes, count); }

static uint64_t draw(void) {
    uint64_t word;
    fill(&word, sizeof word);
    return word;
}

INTERPOSED ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    if (!WORLD) return syscall(SYS_getrandom, bytes, count, flags);
    fill(bytes, count);
    return (ssize_t)count;
}

INTERPOSED int getentropy(void *bytes, size_t count) {
    return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1;
}

INTERPOSED void arc4random_buf(void *bytes, size_t count) {
    char *start = bytes;
    while (count > 0) {
        ssize_t done = getrandom(start, count, 0);
        if (done < 0) continue;
        start += done;
        count -= (size_t)done;
    }
}

INTERPOSED uint32_t arc4random(void) {
    uint32_t word;
    arc4random_buf(&word, sizeof word);
    return word;
}

INTERPOSED uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) return 0;
    // Words below 2³² mod bound would make small results likelier.
    uint32_t least = -bound % bound, word;
    do word = arc4random();
    while (word < least);
    return word % bound;
}

INTERPOSED void swift_stdlib_random(void *bytes, long count) {
    if (WORLD) return fill(bytes, (size_t)count);
    REAL(void, swift_stdlib_random, (void *, long));
    real(bytes, count);
}

INTERPOSED void uuid_generate_random(unsigned char *identifier) {
    if (!WORLD) {
        REAL(void, uuid_generate_random, (unsigned char *));
        if (real) real(identifier);
        return;
    }
    fill(identifier, 16);
    identifier[6] = (identifier[6] & 0x0F) | 0x40;
    identifier[8] = (identifier[8] & 0x3F) | 0x80;
}

INTERPOSED void uuid_generate(unsigned char *identifier) { uuid_generate_random(identifier); }

INTERPOSED int rand(void) {
    if (WORLD) return (int)(draw() & RAND_MAX);
    REAL(int, rand, (void));
    return real();
}

INTERPOSED long random(void) {
    if (WORLD) return (long)(draw() & RAND_MAX);
    REAL(long, random, (void));
    return real();
}

INTERPOSED double drand48(void) {
    if (WORLD) return (double)(draw() >> 11) * 0x1p-53;
    REAL(double, drand48, (void));
    return real();
}

// The lock of `Synchronization.Mutex` is the word of a futex that inherits priority: the number of
// the thread that holds it, and a bit that says that others wait.

static long lock_word(uint32_t *word) {
    while (*word & FUTEX_TID_MASK) {
        *word |= FUTEX_WAITERS;
        squall_hook_wait(word, squall_wait_lock, -1);
    }
    *word = (uint32_t)gettid();
    return 0;
}

static long unlock_word(uint32_t *word) {
    *word = 0;
    squall_hooks->wake(WORLD, word, 1 << 30);
    return 0;
}

static long raw(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
#else
    REAL(long, syscall, (long, ...));
    return real(number, a, b, c, d, e, f);
#endif
}

/// Whether a lock's word is held by this thread, and so by another stack of its world.
static int is_ours(long word) {
    return (*(uint32_t *)word & FUTEX_TID_MASK) == (uint32_t)gettid();
}

INTERPOSED long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (WORLD && number == SYS_getrandom) {
        fill((void *)a, (size_t)b);
        return b;
    }
    if (WORLD && number == SYS_futex && is_ours(a)) {
        long operation = b & ~(long)FUTEX_PRIVATE_FLAG;
        if (operation == FUTEX_LOCK_PI) return lock_word((uint32_t *)a);
        if (operation == FUTEX_UNLOCK_PI) return unlock_word((uint32_t *)a);
    }
    return raw(number, a, b, c, d, e, f);
}

// Hashing. A set's order must be the same in every process; the library decides it when it is
// loaded, before anything is hashed.

struct hashing {
    uint64_t first, second;
    _Bool is_deterministic;
};
extern struct hashing _swift_stdlib_Hashing_parameters __attribute__((weak));

__attribute__((constructor)) static void make_hashing_deterministic(void) {
    if (!&_swift_stdlib_Hashing_parameters) return;
    _swift_stdlib_Hashing_parameters = (struct hashing){0, 0, 1};
}
