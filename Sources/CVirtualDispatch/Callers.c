#include "Interposed.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// What library a call comes from. The dynamic linker looks through all symbols of a library for
// that, and some of these calls come a million times a second, so each place is asked once.

static int has_any(const char *path, const char *const *names, int count) {
    for (int index = 0; index < count; index++) {
        if (strstr(path, names[index])) return 1;
    }
    return 0;
}

static int look_up(const void *caller) {
    static const char *const runtime[] = {
        "libswift", "libdispatch", "libstdc++", "libc.so", "libBlocksRuntime"};
    static const char *const spinning[] = {"libFoundation", "libdispatch"};
    Dl_info place;
    if (!dladdr(caller, &place) || !place.dli_fname) return 0;
    return (has_any(place.dli_fname, runtime, 5) ? squall_caller_runtime : 0)
        | (has_any(place.dli_fname, spinning, 2) ? squall_caller_spins : 0);
}

/// The places that were asked for, each with its answer in two bits that no address has.
enum { placesMax = 1024, answerShift = 62 };
static _Atomic uint64_t places[placesMax];

int squall_caller_is(const void *caller, enum squall_caller wanted) {
    if (!caller) return 0;
    uint64_t address = (uint64_t)(uintptr_t)caller;
    _Atomic uint64_t *place = &places[address * 0x9E3779B97F4A7C15ULL >> 54];
    uint64_t found = atomic_load_explicit(place, memory_order_relaxed);
    if ((found ^ address) << (64 - answerShift) != 0) {
        found = address | (uint64_t)look_up(caller) << answerShift;
        atomic_store_explicit(place, found, memory_order_relaxed);
    }
    return (found >> answerShift & wanted) != 0;
}
