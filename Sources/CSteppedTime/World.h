#pragma once

// The memory that processes in stepped time share with the one that steps it.

#include <stdatomic.h>
#include <stdint.h>

enum {
    /// Told apart by library and tool, which may be of two builds.
    squall_world_layout = 2,
    squall_processes_max = 1024,
    squall_waiters_max = 4096,
    squall_timers_max = 512,
    /// Above those that runtimes use for themselves.
    squall_signal_above_least = 7,
};

#define SQUALL_NEVER INT64_MAX

/// What a thread waits in.
enum squall_wait {
    squall_runs,
    squall_polls,
    squall_sleeps,
    squall_awaits_condition,
    squall_awaits_semaphore,
    squall_awaits_word,
};

/// A thread that waits or has waited. Its place is free while `thread` is 0.
struct squall_waiter {
    _Atomic int32_t thread;
    _Atomic int32_t process;
    /// In elapsed nanoseconds.
    _Atomic int64_t deadline;
    /// One of `squall_wait`; from `squall_polls` on a signal ends the wait.
    _Atomic uint8_t wait;
    /// The signal was for it, not for the program.
    _Atomic uint8_t is_struck;
    /// A thread of the runtime's own, whose deadlines are met but do not move the clock.
    _Atomic uint8_t is_background;
    /// It sleeps in real time for a moment, while the clock must stand.
    _Atomic uint8_t sleeps_really;
};

/// A process that has loaded the library.
struct squall_member {
    _Atomic int32_t process;
};

/// A timer of a process: one of a file, or with -1 as file the one that sends SIGALRM. Its place is
/// free while `process` is 0.
struct squall_timer {
    _Atomic int32_t process;
    _Atomic int32_t file;
    _Atomic int64_t deadline;
    _Atomic int64_t interval;
};

struct squall_world {
    uint32_t layout;
    /// Elapsed nanoseconds.
    _Atomic int64_t now;
    /// What the clocks of the day and of elapsed time show at 0.
    int64_t day_base, elapsed_base;
    /// How far the clock of the day is ahead because it was set.
    _Atomic int64_t day_ahead;
    /// Counts what may end with rest; a futex.
    _Atomic uint32_t activity;
    /// 1 while a thread waits for a change of `activity`.
    _Atomic uint32_t is_watched;
    uint64_t seed;
    _Atomic uint32_t generations;
    _Atomic uint32_t waiters_used;
    /// Connections to other machines: how many, and where the first one leads.
    _Atomic uint32_t outside;
    char outside_address[64];
    struct squall_member members[squall_processes_max];
    struct squall_timer timers[squall_timers_max];
    struct squall_waiter waiters[squall_waiters_max];
};

/// SplitMix64 (Steele, Lea, Flood 2014): mixes what grows by its constant.
static inline uint64_t squall_mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static const uint64_t squall_mixing_step = 0x9E3779B97F4A7C15u;

/// Frees the place of a thread that has ended.
static inline void squall_free(struct squall_waiter *waiter) {
    atomic_store(&waiter->deadline, SQUALL_NEVER);
    atomic_store(&waiter->wait, squall_runs);
    atomic_store(&waiter->thread, 0);
}

#ifdef __linux__
#include <elf.h>
#include <string.h>

/// Finds the note with which Go marks its programs among the notes of a file or of one in memory.
static inline int squall_bears_go_note(const char *notes, long size) {
    for (long place = 0; place + (long)sizeof(Elf64_Nhdr) + 4 <= size;) {
        Elf64_Nhdr head;
        memcpy(&head, notes + place, sizeof head);
        place += (long)sizeof head;
        if (head.n_namesz == 4 && !memcmp(notes + place, "Go\0", 4)) return 1;
        place += ((head.n_namesz + 3) & ~3u) + ((head.n_descsz + 3) & ~3u);
    }
    return 0;
}
#endif
