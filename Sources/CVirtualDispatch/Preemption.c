#include "Interposed.h"

// On a phone, code that does not wait can be interrupted anywhere. Here it can be interrupted only
// where it makes a visible call: reads a clock, takes a lock of POSIX or Foundation, or has started
// a task. The code between is one step. A free lock of `Synchronization.Mutex` makes no call, and
// so is not seen.

static __thread int is_allowed;
/// How many once-only values are being made, by functions that hold a lock of the system's own
/// meanwhile; a thread would really wait for that.
static __thread int onces;

void squall_allow_preemption(int allowed) { is_allowed = allowed; }

void squall_preempt(const void *caller) {
    if (!is_allowed || onces > 0 || !WORLD) return;
    if (squall_caller_is(caller, squall_caller_runtime)) return;
    squall_hooks->preempt(WORLD);
}

static void clock_read(void) { squall_preempt(0); }

__attribute__((constructor)) static void hear_clocks(void) { squall_clock_read = clock_read; }

INTERPOSED void swift_once(long *predicate, void (*function)(void *), void *context) {
    REAL(void, swift_once, (long *, void (*)(void *), void *));
    onces++;
    real(predicate, function, context);
    onces--;
}

struct created {
    void *task, *context;
};

typedef __attribute__((swiftcall)) struct created (*create_function)(
    size_t, void *, void *, void *, void *);

__attribute__((swiftcall)) INTERPOSED struct created swift_task_create(
    size_t flags, void *options, void *type, void *function, void *closure) {
    static void *found;
    create_function real = (create_function)squall_next(&found, "swift_task_create");
    struct created created = real(flags, options, type, function, closure);
    squall_preempt(0);
    return created;
}
