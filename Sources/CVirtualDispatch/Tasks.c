#include "Interposed.h"

#include <stdlib.h>

// A task that moves to a free actor does so at once, on its thread. On several cores other code may
// run in between, and what the task read before may be old when it arrives. A task that comes from
// another actor keeps that one until it has the new one, so that no code could change what it read
// there: so it is made to leave the old actor first, and waits for its turn on none.

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

struct executor {
    void *identity;
    uintptr_t implementation;
};

extern __attribute__((swiftcall)) struct executor swift_task_getCurrentExecutor(void)
    __attribute__((weak));

typedef ASYNC void (*switch_function)(CONTEXT void *, void *, void *, uintptr_t);

static switch_function real_switch(void) {
    static void *found;
    return (switch_function)squall_next(&found, "swift_task_switch");
}

/// A task that moves between two actors, by its context.
struct journey {
    void *context, *function;
    struct executor to;
    struct journey *next;
};

static __thread struct journey *journeys;

static int begin_journey(void *context, void *function, struct executor to) {
    struct journey *journey = malloc(sizeof *journey);
    if (!journey) return 0;
    *journey = (struct journey){context, function, to, journeys};
    journeys = journey;
    return 1;
}

static struct journey end_journey(void *context) {
    struct journey **place = &journeys;
    while ((*place)->context != context) place = &(*place)->next;
    struct journey *found = *place, journey = *found;
    *place = found->next;
    free(found);
    return journey;
}

// In this calling convention a call in return position is a tail call.

static ASYNC void go_on(CONTEXT void *context) {
    struct journey journey = end_journey(context);
    if (WORLD) squall_hooks->hop(WORLD, journey.to.identity);
    return real_switch()(
        context, journey.function, journey.to.identity, journey.to.implementation);
}

ASYNC INTERPOSED void swift_task_switch(
    CONTEXT void *context, void *function, void *identity, uintptr_t implementation) {
    if (!WORLD || !identity || !swift_task_getCurrentExecutor) {
        return real_switch()(context, function, identity, implementation);
    }
    void *here = swift_task_getCurrentExecutor().identity;
    if (here == identity) return real_switch()(context, function, identity, implementation);
    struct executor to = {identity, implementation};
    if (here && squall_hooks->may_hop(WORLD) && begin_journey(context, function, to)) {
        return real_switch()(context, (void *)go_on, 0, 0);
    }
    squall_hooks->hop(WORLD, identity);
    return real_switch()(context, function, identity, implementation);
}
