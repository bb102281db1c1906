#include "Interposed.h"

// A task that goes over to an actor that is free does so at once, on the thread it has. Several
// cores let others run between: what it read before may be old when it gets there.

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

struct executor {
    void *identity;
    uintptr_t implementation;
};

extern __attribute__((swiftcall)) struct executor swift_task_getCurrentExecutor(void)
    __attribute__((weak));

static int is_elsewhere(void *identity) {
    return identity && swift_task_getCurrentExecutor
        && swift_task_getCurrentExecutor().identity != identity;
}

ASYNC INTERPOSED void swift_task_switch(
    CONTEXT void *context, void *function, void *identity, uintptr_t implementation) {
    typedef ASYNC void (*type)(CONTEXT void *, void *, void *, uintptr_t);
    static type real;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "swift_task_switch");
    if (WORLD && is_elsewhere(identity)) squall_hooks->hop(WORLD, identity);
    __attribute__((musttail)) return real(context, function, identity, implementation);
}
