#include "Interposed.h"

#include <stdint.h>
#include <stdlib.h>

// Random numbers that `CVirtualClock` does not cover, from the same stream.

static void fill(void *bytes, size_t count) { squall_fill_random(bytes, count); }

static uint64_t draw(void) {
    uint64_t word;
    fill(&word, sizeof word);
    return word;
}

INTERPOSED void swift_stdlib_random(void *bytes, long count) {
    if (squall_random) return fill(bytes, (size_t)count);
    REAL(void, swift_stdlib_random, (void *, long));
    real(bytes, count);
}

INTERPOSED void uuid_generate_random(unsigned char *identifier) {
    if (!squall_random) {
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
    if (squall_random) return (int)(draw() & RAND_MAX);
    REAL(int, rand, (void));
    return real();
}

INTERPOSED long random(void) {
    if (squall_random) return (long)(draw() & RAND_MAX);
    REAL(long, random, (void));
    return real();
}

INTERPOSED double drand48(void) {
    if (squall_random) return (double)(draw() >> 11) * 0x1p-53;
    REAL(double, drand48, (void));
    return real();
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
