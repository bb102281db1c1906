#pragma once

#ifndef __linux__
#error "Worlds for Swift code of your own run on Linux; on a Mac use a container: NetworkingOnLinux.md"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Dispatch, blocking, sleep and wall clocks, as functions that a world replaces; and random numbers
// that `CVirtualClock` does not cover.
//
// Each function of libdispatch and of the C library that ordinary client code reaches is defined
// here for the whole process. On a thread without a world it does what it always did. On a thread
// that runs one it asks the world through `struct squall_dispatch_hooks`, or reports an escape.
// The definitions are weak: in an executable that links libdispatch statically the real ones win,
// and `squall_dispatch_is_interposed` says so.

/// Work to be called once: a block, or a function with its argument.
struct squall_work {
    void (*_Nullable function)(void *_Nullable);
    void *_Nullable context;
    /// 1 for a context that is a block, which was copied and is to be released.
    int is_block;
};

/// Calls the work.
void squall_work_call(struct squall_work work);
/// Releases what the work holds; it must not be called any more.
void squall_work_release(struct squall_work work);
/// 1 for a work item that wants its concurrent queue to itself.
int squall_work_is_barrier(struct squall_work work);

/// The reasons for which a thread waits.
enum squall_wait_kind {
    squall_wait_sleep,
    squall_wait_semaphore,
    squall_wait_group,
    squall_wait_lock,
    squall_wait_condition,
    squall_wait_run_loop,
    squall_wait_queue,
    squall_wait_hop,
};

/// What a world does for the functions; every call comes on the world's thread.
struct squall_dispatch_hooks {
    void (*_Nonnull submit)(
        void *_Nonnull world, void *_Nonnull queue, struct squall_work work, int is_barrier);
    void (*_Nonnull submit_after)(
        void *_Nonnull world, void *_Nonnull queue, struct squall_work work,
        long long nanoseconds);
    void (*_Nonnull perform)(
        void *_Nonnull world, void *_Nonnull queue, struct squall_work work, int is_barrier);
    void (*_Nonnull apply)(
        void *_Nonnull world, void *_Nonnull queue, size_t iterations,
        void (*_Nonnull function)(void *_Nullable, size_t), void *_Nullable context);
    void (*_Nonnull group_notify)(
        void *_Nonnull world, void *_Nonnull group, void *_Nonnull queue,
        struct squall_work work);
    void (*_Nonnull group_left)(void *_Nonnull world, void *_Nonnull group);
    void (*_Nonnull suspend)(void *_Nonnull world, void *_Nonnull queue);
    void (*_Nonnull resume)(void *_Nonnull world, void *_Nonnull queue);
    int (*_Nonnull is_current)(void *_Nonnull world, void *_Nonnull queue, int as_barrier);
    void *_Nullable (*_Nonnull specific)(void *_Nonnull world, const void *_Nonnull key);
    /// Lets the others run until the key is woken (1) or the span is over (0); negative: for ever.
    int (*_Nonnull wait)(
        void *_Nonnull world, const void *_Nullable key, enum squall_wait_kind kind,
        long long nanoseconds);
    /// Wakes this many waiters for a key, the longest waiting first; returns how many there were.
    int (*_Nonnull wake)(void *_Nonnull world, const void *_Nonnull key, int count);
    /// Something real is about to happen in the world.
    void (*_Nonnull escape)(
        void *_Nonnull world, const char *_Nonnull what, const char *_Nonnull detail);
    /// 1 where the schedule may let others run before a task goes over to an actor.
    int (*_Nonnull may_hop)(void *_Nonnull world);
    /// A task is about to go over to an actor.
    void (*_Nonnull hop)(void *_Nonnull world, const void *_Nonnull actor);
    /// Its code reads a clock, takes a lock or has started a task.
    void (*_Nonnull preempt)(void *_Nonnull world);
    /// Which of the world's stacks runs; numbers from 0.
    int (*_Nonnull stack)(void *_Nonnull world);
    void (*_Nonnull timer_create)(
        void *_Nonnull world, void *_Nonnull source, void *_Nullable queue);
    void (*_Nonnull timer_set)(
        void *_Nonnull world, void *_Nonnull source, long long delay, long long interval);
    /// 0 the event handler, 1 the cancel handler, 2 the registration handler.
    void (*_Nonnull timer_handler)(
        void *_Nonnull world, void *_Nonnull source, int which, struct squall_work work);
    void (*_Nonnull timer_resume)(void *_Nonnull world, void *_Nonnull source);
    void (*_Nonnull timer_suspend)(void *_Nonnull world, void *_Nonnull source);
    void (*_Nonnull timer_cancel)(void *_Nonnull world, void *_Nonnull source);
    void (*_Nonnull timer_target)(
        void *_Nonnull world, void *_Nonnull source, void *_Nullable queue);
    uintptr_t (*_Nonnull timer_fires)(void *_Nonnull world, void *_Nonnull source);
    void (*_Nonnull timer_forget)(void *_Nonnull world, void *_Nonnull source);
};

/// Sets the functions' hooks; once for the process, before any world runs.
void squall_set_dispatch_hooks(const struct squall_dispatch_hooks *_Nonnull hooks);

/// Makes methods of Foundation return that end the process on Linux but not on a phone; once.
void squall_avoid_foundation_traps(void);

/// The world whose code this thread runs; `NULL` in real life.
void *_Nullable squall_dispatch_world(void);
void squall_set_dispatch_world(void *_Nullable world);

/// Sets whether `preempt` is called on this thread.
void squall_allow_preemption(int is_allowed);

/// 1 where libdispatch's functions are replaced by those of this folder.
int squall_dispatch_is_interposed(void);

/// What a queue is, as it was when it was created; the process's own queues have no target.
struct squall_queue {
    const char *_Nonnull label;
    void *_Nullable target;
    bool is_concurrent, is_global, is_main, is_inactive;
};
struct squall_queue squall_queue_describe(void *_Nonnull queue);
void *_Nonnull squall_main_queue(void);
/// The queue for work that names none.
void *_Nonnull squall_default_queue(void);
void *_Nullable squall_queue_specific(void *_Nonnull queue, const void *_Nonnull key);
void squall_object_retain(void *_Nonnull object);
void squall_object_release(void *_Nonnull object);
/// Bytes from the start of an object on the heap to a word that it has; 0 when it has none.
ptrdiff_t squall_place_of_word(const void *_Nonnull object, const void *_Nonnull word);

// Stacks. A world's loop runs on one of its own, so that code that blocks can stay on its stack
// while another stack goes on with the loop.

/// A stack with the Swift runtime's data for the thread that runs on it.
struct squall_stack;

/// Enters a stack from the thread's own one; returns when one of them has ended.
void squall_stack_enter(struct squall_stack *_Nonnull stack);
/// Makes a stack on which a function will run; used ones are reused.
struct squall_stack *_Nonnull squall_stack_create(
    void (*_Nonnull function)(void *_Nullable), void *_Nullable argument);
/// Blocks one stack where it is and goes on with another.
void squall_stack_switch(struct squall_stack *_Nonnull from, struct squall_stack *_Nonnull to);
/// 1 as soon as the function on it has come back.
int squall_stack_has_ended(struct squall_stack *_Nonnull stack);
/// Disposes of a stack that has ended, or whose code will never go on.
void squall_stack_dispose(struct squall_stack *_Nonnull stack);
/// The stack of this thread that has a recursive lock, by its number; -1 for none.
int squall_lock_holder(const void *_Nonnull lock);
/// Forgets the locks that code on this thread's stacks has and will never release.
void squall_forget_locks(void);
