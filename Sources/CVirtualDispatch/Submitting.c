#include "Interposed.h"

#include <stdint.h>

// Functions that put work on queues.

typedef void *object;
typedef void (*function)(void *);

extern void *_Block_copy(const void *block);
extern uint64_t dispatch_time(uint64_t when, int64_t delta);
extern object dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
extern void dispatch_group_enter(object group);
extern void dispatch_group_leave(object group);
extern void dispatch_retain(object);
extern void dispatch_release(object);

static struct squall_work copy(void *block) {
    return (struct squall_work){.context = _Block_copy(block), .is_block = 1};
}

static struct squall_work borrow(void *block) {
    return (struct squall_work){.context = block, .is_block = 1};
}

static struct squall_work plain(function work, void *context) {
    return (struct squall_work){.function = work, .context = context};
}

static void submit(object queue, struct squall_work work, int is_barrier) {
    squall_hooks->submit(WORLD, queue, work, is_barrier || squall_work_is_barrier(work));
}

static void perform(object queue, struct squall_work work, int is_barrier) {
    squall_hooks->perform(WORLD, queue, work, is_barrier || squall_work_is_barrier(work));
}

/// `name(queue, block)` and `name_f(queue, context, function)`, which only pass work on.
#define PASSES_ON(name, does, is_barrier, keeps)                                                   \
    INTERPOSED void name(object queue, void *block) {                                              \
        if (WORLD) return does(queue, keeps(block), is_barrier);                                   \
        REAL(void, name, (object, void *));                                                        \
        real(queue, block);                                                                        \
    }                                                                                              \
    INTERPOSED void name##_f(object queue, void *context, function work) {                         \
        if (WORLD) return does(queue, plain(work, context), is_barrier);                           \
        REAL(void, name##_f, (object, void *, function));                                          \
        real(queue, context, work);                                                                \
    }

PASSES_ON(dispatch_async, submit, 0, copy)
PASSES_ON(dispatch_barrier_async, submit, 1, copy)
PASSES_ON(dispatch_sync, perform, 0, borrow)
PASSES_ON(dispatch_barrier_sync, perform, 1, borrow)
PASSES_ON(dispatch_async_and_wait, perform, 0, borrow)
PASSES_ON(dispatch_barrier_async_and_wait, perform, 1, borrow)

/// Nanoseconds until a moment of Dispatch: of the clock since the start or, when negative, of the
/// calendar.
long long squall_nanoseconds_until(uint64_t when) {
    if (when == UINT64_MAX) return -1;
    if (when == 0) return 0;
    if ((int64_t)when < 0 && when != UINT64_MAX - 1) {
        long long delay = -(int64_t)when - squall_day_clock();
        return delay > 0 ? delay : 0;
    }
    uint64_t now = dispatch_time(0, 0);
    return when > now ? (long long)(when - now) : 0;
}

static void submit_after(uint64_t when, object queue, struct squall_work work) {
    long long delay = squall_nanoseconds_until(when);
    if (delay < 0) return squall_work_release(work);
    squall_hooks->submit_after(WORLD, queue, work, delay);
}

INTERPOSED void dispatch_after(uint64_t when, object queue, void *block) {
    if (WORLD) return submit_after(when, queue, copy(block));
    REAL(void, dispatch_after, (uint64_t, object, void *));
    real(when, queue, block);
}

INTERPOSED void dispatch_after_f(uint64_t when, object queue, void *context, function work) {
    if (WORLD) return submit_after(when, queue, plain(work, context));
    REAL(void, dispatch_after_f, (uint64_t, object, void *, function));
    real(when, queue, context, work);
}

struct indexed_block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *, size_t);
};

static void call_indexed(void *block, size_t index) {
    ((struct indexed_block *)block)->invoke(block, index);
}

static void apply(
    size_t iterations, object queue, void *context, void (*work)(void *, size_t)) {
    if (!queue) queue = dispatch_get_global_queue(0, 0);
    squall_hooks->apply(WORLD, queue, iterations, work, context);
}

INTERPOSED void dispatch_apply(size_t iterations, object queue, void *block) {
    if (WORLD) return apply(iterations, queue, block, call_indexed);
    REAL(void, dispatch_apply, (size_t, object, void *));
    real(iterations, queue, block);
}

INTERPOSED void dispatch_apply_f(
    size_t iterations, object queue, void *context, void (*work)(void *, size_t)) {
    if (WORLD) return apply(iterations, queue, context, work);
    REAL(void, dispatch_apply_f, (size_t, object, void *, void (*)(void *, size_t)));
    real(iterations, queue, context, work);
}

// Groups count by themselves; only their notifications are the world's.

struct grouped {
    object group;
    struct squall_work work;
};

extern void *malloc(size_t count);
extern void free(void *memory);

static void call_grouped(void *context) {
    struct grouped grouped = *(struct grouped *)context;
    free(context);
    squall_work_call(grouped.work);
    squall_work_release(grouped.work);
    dispatch_group_leave(grouped.group);
    dispatch_release(grouped.group);
}

static void submit_grouped(object group, object queue, struct squall_work work) {
    struct grouped *grouped = malloc(sizeof *grouped);
    *grouped = (struct grouped){group, work};
    dispatch_retain(group);
    dispatch_group_enter(group);
    submit(queue, plain(call_grouped, grouped), squall_work_is_barrier(work));
}

INTERPOSED void dispatch_group_async(object group, object queue, void *block) {
    if (WORLD) return submit_grouped(group, queue, copy(block));
    REAL(void, dispatch_group_async, (object, object, void *));
    real(group, queue, block);
}

INTERPOSED void dispatch_group_async_f(
    object group, object queue, void *context, function work) {
    if (WORLD) return submit_grouped(group, queue, plain(work, context));
    REAL(void, dispatch_group_async_f, (object, object, void *, function));
    real(group, queue, context, work);
}

typedef intptr_t (*group_wait)(object, uint64_t);

static intptr_t wait_now(object group) {
    REAL(intptr_t, dispatch_group_wait, (object, uint64_t));
    return real(group, 0);
}

INTERPOSED void dispatch_group_leave(object group) {
    REAL(void, dispatch_group_leave, (object));
    if (!WORLD) return real(group);
    // The last to leave may hold the last reference.
    dispatch_retain(group);
    real(group);
    if (wait_now(group) == 0) squall_hooks->group_left(WORLD, group);
    dispatch_release(group);
}

static void notify(object group, object queue, struct squall_work work) {
    if (wait_now(group) == 0) return submit(queue, work, 0);
    squall_hooks->group_notify(WORLD, group, queue, work);
}

INTERPOSED void dispatch_group_notify(object group, object queue, void *block) {
    if (WORLD) return notify(group, queue, copy(block));
    REAL(void, dispatch_group_notify, (object, object, void *));
    real(group, queue, block);
}

INTERPOSED void dispatch_group_notify_f(
    object group, object queue, void *context, function work) {
    if (WORLD) return notify(group, queue, plain(work, context));
    REAL(void, dispatch_group_notify_f, (object, object, void *, function));
    real(group, queue, context, work);
}

INTERPOSED intptr_t dispatch_group_wait(object group, uint64_t deadline) {
    REAL(intptr_t, dispatch_group_wait, (object, uint64_t));
    if (!WORLD) return real(group, deadline);
    if (real(group, 0) == 0) return 0;
    long long span = squall_nanoseconds_until(deadline);
    if (span == 0) return 1;
    return squall_hook_wait(group, squall_wait_group, span) ? 0 : 1;
}

INTERPOSED intptr_t dispatch_semaphore_wait(object semaphore, uint64_t deadline) {
    REAL(intptr_t, dispatch_semaphore_wait, (object, uint64_t));
    if (!WORLD) return real(semaphore, deadline);
    if (real(semaphore, 0) == 0) return 0;
    long long span = squall_nanoseconds_until(deadline);
    if (span == 0) return 1;
    return squall_hook_wait(semaphore, squall_wait_semaphore, span) ? 0 : 1;
}

INTERPOSED intptr_t dispatch_semaphore_signal(object semaphore) {
    if (WORLD && squall_hooks->wake(WORLD, semaphore, 1)) return 1;
    REAL(intptr_t, dispatch_semaphore_signal, (object));
    return real(semaphore);
}
