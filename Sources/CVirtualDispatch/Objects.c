#include "Interposed.h"
#include "ObjectTable.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Suspending, resuming and querying objects; and sources, of which a world replaces the timers.

typedef void *object;
typedef void (*function)(void *);

extern void *_Block_copy(const void *block);
extern void *dispatch_get_context(object);
extern object dispatch_semaphore_create(intptr_t value);
extern char _dispatch_source_type_timer;
extern long long squall_nanoseconds_until(uint64_t when);

static int is(object object, enum object_kind kind) {
    struct object known;
    return squall_known_find(object, &known) && known.kind == kind;
}

/// A world's timer, in the shape of another object of Dispatch.
static int is_timer(object source) { return is(source, object_timer); }

/// A source of another kind that a world's code made, which is real.
static int is_real(object source) { return is(source, object_real_source); }

static void note(object source, enum object_kind kind) {
    squall_known_note((struct object){.address = source, .kind = kind, .world = WORLD});
}

INTERPOSED void dispatch_retain(object object) {
    squall_known_retain(object);
    REAL(void, dispatch_retain, (void *));
    real(object);
}

INTERPOSED void dispatch_release(object object) {
    struct object known;
    int is_last = squall_known_release(object, &known);
    void *world = squall_world_of_thread;
    if (is_last && known.kind == object_timer && world && known.world == world) {
        squall_hooks->timer_forget(world, object);
    }
    REAL(void, dispatch_release, (void *));
    real(object);
    if (is_last && known.target) dispatch_release(known.target);
}

static object create_timer(object queue) {
    object source = dispatch_semaphore_create(0);
    note(source, object_timer);
    squall_hooks->timer_create(WORLD, source, queue);
    return source;
}

static const char *kind_of(void *type) {
    static const char *names[] = {
        "_dispatch_source_type_read",     "_dispatch_source_type_write",
        "_dispatch_source_type_signal",   "_dispatch_source_type_data_add",
        "_dispatch_source_type_data_or",  "_dispatch_source_type_data_replace",
    };
    for (int index = 0; index < 6; index++) {
        if (dlsym(RTLD_DEFAULT, names[index]) == type) return names[index] + 22;
    }
    return "other";
}

INTERPOSED object dispatch_source_create(
    void *type, uintptr_t handle, uintptr_t mask, object queue) {
    if (WORLD && type == (void *)&_dispatch_source_type_timer) return create_timer(queue);
    REAL(object, dispatch_source_create, (void *, uintptr_t, uintptr_t, object));
    object source = real(type, handle, mask, queue);
    if (WORLD && source) {
        squall_hooks->escape(WORLD, "DispatchSource", kind_of(type));
        note(source, object_real_source);
    }
    return source;
}

INTERPOSED void dispatch_source_set_timer(
    object source, uint64_t start, uint64_t interval, uint64_t leeway) {
    if (WORLD && is_timer(source)) {
        long long gap = interval > INT64_MAX ? -1 : (long long)interval;
        return squall_hooks->timer_set(WORLD, source, squall_nanoseconds_until(start), gap);
    }
    REAL(void, dispatch_source_set_timer, (object, uint64_t, uint64_t, uint64_t));
    real(source, start, interval, leeway);
}

static struct squall_work copy(void *block) {
    if (!block) return (struct squall_work){0};
    return (struct squall_work){.context = _Block_copy(block), .is_block = 1};
}

static struct squall_work plain(object source, function work) {
    return (struct squall_work){.function = work, .context = dispatch_get_context(source)};
}

#define SETS_HANDLER(name, which)                                                                  \
    INTERPOSED void name(object source, void *block) {                                             \
        if (WORLD && is_timer(source)) {                                                           \
            return squall_hooks->timer_handler(WORLD, source, which, copy(block));                 \
        }                                                                                          \
        REAL(void, name, (object, void *));                                                        \
        real(source, block);                                                                       \
    }                                                                                              \
    INTERPOSED void name##_f(object source, function work) {                                       \
        if (WORLD && is_timer(source)) {                                                           \
            return squall_hooks->timer_handler(WORLD, source, which, plain(source, work));         \
        }                                                                                          \
        REAL(void, name##_f, (object, function));                                                  \
        real(source, work);                                                                        \
    }

SETS_HANDLER(dispatch_source_set_event_handler, 0)
SETS_HANDLER(dispatch_source_set_cancel_handler, 1)
SETS_HANDLER(dispatch_source_set_registration_handler, 2)

INTERPOSED void dispatch_source_cancel(object source) {
    if (WORLD && is_timer(source)) {
        squall_known_set_cancelled(source);
        return squall_hooks->timer_cancel(WORLD, source);
    }
    REAL(void, dispatch_source_cancel, (object));
    real(source);
}

INTERPOSED intptr_t dispatch_source_testcancel(object source) {
    struct object known;
    if (squall_known_find(source, &known) && known.kind == object_timer) return known.is_cancelled;
    REAL(intptr_t, dispatch_source_testcancel, (object));
    return real(source);
}

/// A property of a source that a world's timer answers itself.
#define ASKS(name, answer)                                                                         \
    INTERPOSED uintptr_t name(object source) {                                                     \
        if (WORLD && is_timer(source)) return answer;                                              \
        REAL(uintptr_t, name, (object));                                                           \
        return real(source);                                                                       \
    }

ASKS(dispatch_source_get_data, squall_hooks->timer_fires(WORLD, source))
ASKS(dispatch_source_get_handle, 0)
ASKS(dispatch_source_get_mask, 0)

INTERPOSED void dispatch_suspend(object object) {
    if (WORLD && is_timer(object)) return squall_hooks->timer_suspend(WORLD, object);
    if (WORLD && !is_real(object)) return squall_hooks->suspend(WORLD, object);
    REAL(void, dispatch_suspend, (void *));
    real(object);
}

INTERPOSED void dispatch_resume(object object) {
    if (WORLD && is_timer(object)) return squall_hooks->timer_resume(WORLD, object);
    if (WORLD && !is_real(object)) return squall_hooks->resume(WORLD, object);
    REAL(void, dispatch_resume, (void *));
    real(object);
}

INTERPOSED void dispatch_activate(object object) {
    if (WORLD && is_timer(object)) return squall_hooks->timer_resume(WORLD, object);
    REAL(void, dispatch_activate, (void *));
    real(object);
    squall_known_set_active(object);
    if (WORLD && !is_real(object)) squall_hooks->resume(WORLD, object);
}

INTERPOSED void dispatch_set_target_queue(object object, void *queue) {
    if (WORLD && is_timer(object)) return squall_hooks->timer_target(WORLD, object, queue);
    if (!WORLD) {
        REAL(void, dispatch_set_target_queue, (void *, void *));
        real(object, queue);
    }
    if (queue) dispatch_retain(queue);
    void *old = squall_known_exchange_target(object, queue);
    if (old) dispatch_release(old);
}

INTERPOSED void *dispatch_get_specific(const void *key) {
    if (WORLD) return squall_hooks->specific(WORLD, key);
    REAL(void *, dispatch_get_specific, (const void *));
    return real(key);
}

INTERPOSED void dispatch_assert_queue(object queue) {
    if (WORLD && squall_hooks->is_current(WORLD, queue, 0)) return;
    REAL(void, dispatch_assert_queue, (object));
    real(queue);
}

INTERPOSED void dispatch_assert_queue_barrier(object queue) {
    if (WORLD && squall_hooks->is_current(WORLD, queue, 1)) return;
    REAL(void, dispatch_assert_queue_barrier, (object));
    real(queue);
}

INTERPOSED void dispatch_assert_queue_not(object queue) {
    if (WORLD && squall_hooks->is_current(WORLD, queue, 0)) {
        fprintf(stderr, "BUG IN CLIENT OF LIBDISPATCH: a block was not expected to run on %s\n",
                squall_queue_describe(queue).label);
        abort();
    }
    if (WORLD) return;
    REAL(void, dispatch_assert_queue_not, (object));
    real(queue);
}

INTERPOSED void dispatch_main(void) {
    while (WORLD) squall_hook_wait(0, squall_wait_run_loop, -1);
    REAL(void, dispatch_main, (void));
    real();
    abort();
}

INTERPOSED void dispatch_read(int file, size_t count, object queue, void *block) {
    if (WORLD) squall_hooks->escape(WORLD, "DispatchIO", "read");
    REAL(void, dispatch_read, (int, size_t, object, void *));
    real(file, count, queue, block);
}

INTERPOSED void dispatch_write(int file, object data, object queue, void *block) {
    if (WORLD) squall_hooks->escape(WORLD, "DispatchIO", "write");
    REAL(void, dispatch_write, (int, object, object, void *));
    real(file, data, queue, block);
}

INTERPOSED object dispatch_io_create(uintptr_t type, int file, object queue, void *block) {
    if (WORLD) squall_hooks->escape(WORLD, "DispatchIO", "channel");
    REAL(object, dispatch_io_create, (uintptr_t, int, object, void *));
    return real(type, file, queue, block);
}

INTERPOSED object dispatch_io_create_with_path(
    uintptr_t type, const char *path, int flags, unsigned mode, object queue, void *block) {
    if (WORLD) squall_hooks->escape(WORLD, "DispatchIO", path);
    REAL(object, dispatch_io_create_with_path,
         (uintptr_t, const char *, int, unsigned, object, void *));
    return real(type, path, flags, mode, queue, block);
}
