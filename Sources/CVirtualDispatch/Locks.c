#include "Interposed.h"
#include "CVirtualClock.h"

#include <linux/futex.h>
#include <stdint.h>
#include <unistd.h>

// The lock of `Synchronization.Mutex` is the word of a futex that inherits priority: the number of
// the thread that holds it, and a bit that says that others wait.

static void lock_word(uint32_t *word) {
    while (*word & FUTEX_TID_MASK) {
        *word |= FUTEX_WAITERS;
        squall_hook_wait(word, squall_wait_lock, -1);
    }
    *word = (uint32_t)gettid();
}

static void unlock_word(uint32_t *word) {
    *word = 0;
    squall_hooks->wake(WORLD, word, 1 << 30);
}

/// Whether a lock's word is held by this thread, and so by another stack of its world.
static int is_ours(const uint32_t *word) {
    return (*word & FUTEX_TID_MASK) == (uint32_t)gettid();
}

static int lock_call(long operation, unsigned int *word) {
    if (!WORLD || !is_ours(word)) return 0;
    switch (operation) {
    case FUTEX_LOCK_PI: lock_word(word); return 1;
    case FUTEX_UNLOCK_PI: unlock_word(word); return 1;
    default: return 0;
    }
}

__attribute__((constructor)) static void stand_in_for_locks(void) { squall_lock_call = lock_call; }
