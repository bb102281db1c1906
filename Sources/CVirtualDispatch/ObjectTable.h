#pragma once

// Facts about objects that cannot be queried later: queues of Dispatch as they were created,
// sources that a world made. Any thread may use them.

enum object_kind { object_queue, object_timer, object_real_source };

/// An object that a thread of this process made.
struct object {
    void *address;
    enum object_kind kind;
    /// How many references are held from outside of libdispatch.
    long references;
    /// Of a queue: the queue that it hands its work to, with a reference to it; null for none.
    void *target;
    /// Of a queue.
    int is_concurrent, is_inactive;
    /// Of a source: the world whose code made it, and whether it was cancelled.
    void *world;
    int is_cancelled;
};

/// Notes an object that has just been made, to which its maker has the only reference.
void squall_known_note(struct object object);
/// What is known of an object; 0 for nothing.
int squall_known_find(const void *address, struct object *found);
void squall_known_retain(const void *address);
/// 1 where the reference was the last: the object is forgotten, and `found` describes it.
int squall_known_release(const void *address, struct object *found);
/// Sets another target of a queue, and returns the old one; the caller owns the reference to that.
void *squall_known_exchange_target(const void *address, void *target);
void squall_known_set_active(const void *address);
void squall_known_set_cancelled(const void *address);
