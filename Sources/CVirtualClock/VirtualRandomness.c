#define _GNU_SOURCE
#include "CVirtualClock.h"

__thread struct squall_randomness *squall_random = 0;

#if defined(__linux__)
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// SplitMix64 in counter mode, as the kernel's random streams.
static uint64_t word(struct squall_randomness *source) {
    source->ordinal += 1;
    uint64_t mixed = source->key + source->ordinal * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

void squall_fill_random(void *buffer, size_t size) {
    unsigned char *place = buffer;
    while (size > 0) {
        uint64_t bits = word(squall_random);
        size_t part = size < sizeof bits ? size : sizeof bits;
        memcpy(place, &bits, part);
        place += part;
        size -= part;
    }
}

static int fill_really(void *buffer, size_t size) {
    unsigned char *place = buffer;
    while (size > 0) {
        long got = syscall(SYS_getrandom, place, size, 0);
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return -1;
        }
        place += got;
        size -= (size_t)got;
    }
    return 0;
}

// Each interposes libc's function for the whole process; threads that run no simulation get the
// system's randomness. Swift's own random numbers come through `syscall`, see there.

ssize_t getrandom(void *buffer, size_t size, unsigned int flags) {
    if (!squall_random) {
        return syscall(SYS_getrandom, buffer, size, flags);
    }
    squall_fill_random(buffer, size);
    return (ssize_t)size;
}

int getentropy(void *buffer, size_t size) {
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    if (!squall_random) {
        return fill_really(buffer, size);
    }
    squall_fill_random(buffer, size);
    return 0;
}

void arc4random_buf(void *buffer, size_t size) {
    if (!squall_random) {
        (void)fill_really(buffer, size);
        return;
    }
    squall_fill_random(buffer, size);
}

uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) {
        return 0;
    }
    // Words below 2³² mod bound would make small results likelier.
    uint32_t least = -bound % bound, number;
    do {
        number = arc4random();
    } while (number < least);
    return number % bound;
}
#endif
