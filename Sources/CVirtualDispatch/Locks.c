#include "Interposed.h"

#include <linux/futex.h>
#include <stdint.h>
#include <unistd.h>

// The lock of `Synchronization.Mutex` is the word of a futex that inherits priority: the number of
// the thread that holds it, and a bit that says that others wait.

/// The thread that holds a lock; its stacks share that number; 0 for none.
static uint32_t holder(uint32_t word) { return word & FUTEX_TID_MASK; }

/// Takes a lock that another stack of this world holds, when that has released it; 0 if another
/// thread got it first, so that the thread must really wait.
static int lock_word(uint32_t *word) {
    uint32_t thread = (uint32_t)gettid();
    for (;;) {
        uint32_t found = __atomic_load_n(word, __ATOMIC_ACQUIRE);
        if (holder(found) == 0) {
            if (__atomic_compare_exchange_n(
                    word, &found, found | thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
                return 1;
            }
        } else if (holder(found) != thread) {
            return 0;
        } else {
            __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_RELAXED);
            squall_hook_wait(word, squall_wait_lock, -1);
        }
    }
}

/// Lets the waiting stacks try again once this one rests; the system then releases the lock, and
/// passes it to a thread that waits for it.
static int wake_stacks(uint32_t *word) {
    squall_hooks->wake(WORLD, word, 1 << 30);
    return 0;
}

/// 1 for a lock's word that this thread holds, and so a stack of its world.
static int is_ours(const uint32_t *word) {
    return holder(__atomic_load_n(word, __ATOMIC_RELAXED)) == (uint32_t)gettid();
}

static int lock_call(long operation, unsigned int *word) {
    if (!WORLD || !is_ours(word)) return 0;
    switch (operation) {
    case FUTEX_LOCK_PI: return lock_word(word);
    case FUTEX_UNLOCK_PI: return wake_stacks(word);
    default: return 0;
    }
}

__attribute__((constructor)) static void stand_in_for_locks(void) { squall_lock_call = lock_call; }
