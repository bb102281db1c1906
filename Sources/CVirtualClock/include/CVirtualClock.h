#pragma once

// The two words a thread carries while it runs a simulation, and the clock that obeys one of them.
//
// While `squall_virtual_nanoseconds` is negative the thread lives in real time. Otherwise every
// clock of the day's or elapsed time reads exactly that value on this thread, through any of the C
// library's functions, and every clock of processor time says that none has been used.

extern __thread long long squall_virtual_nanoseconds;
extern __thread void *squall_simulation;

// How far the clock of the day's time is ahead of that, because it was set.
extern __thread long long squall_wall_clock_ahead;

static inline void squall_set_wall_clock_ahead(long long nanoseconds) {
    squall_wall_clock_ahead = nanoseconds;
}

static inline long long squall_virtual_clock(void) { return squall_virtual_nanoseconds; }
static inline void squall_set_virtual_clock(long long nanoseconds) {
    squall_virtual_nanoseconds = nanoseconds;
}

/// The clock of the day's time, as the device shows it.
static inline long long squall_day_clock(void) {
    return squall_virtual_nanoseconds + squall_wall_clock_ahead;
}

static inline void *squall_current_simulation(void) { return squall_simulation; }
static inline void squall_set_current_simulation(void *simulation) {
    squall_simulation = simulation;
}

/// 1 while this thread runs code of Squall's own between a world's code: for that, Dispatch and
/// all blocking calls are the real ones.
///
/// Otherwise a replaced function, called while a world's state is being changed, as the Swift
/// runtime's locks are whenever it makes metadata, would change that state too.
extern __thread int squall_is_deaf;

/// Sets it and returns the old value, which the caller restores.
static inline int squall_set_deaf(int is_deaf) {
    int outer = squall_is_deaf;
    squall_is_deaf = is_deaf;
    return outer;
}

/// An address that is this thread's own, while it lives.
static inline const void *squall_this_thread(void) { return &squall_is_deaf; }

/// The source of the C library's random numbers on this thread while it runs a simulation: words of
/// a stream, by their ordinals. Null while the thread lives outside.
struct squall_randomness {
    unsigned long long key;
    unsigned long long ordinal;
};

extern __thread struct squall_randomness *squall_random;

static inline struct squall_randomness *squall_current_randomness(void) { return squall_random; }
static inline void squall_set_current_randomness(struct squall_randomness *source) {
    squall_random = source;
}

/// The next bytes of that stream; for a thread that has one.
void squall_fill_random(void *buffer, unsigned long size);

/// Asked before a lock of the Swift library waits or is freed, as by `FUTEX_LOCK_PI`; returns
/// whether it has done so itself. Null when unused.
extern int (*squall_lock_call)(long operation, unsigned int *word);

/// Sets the function that is called when a thread that runs a simulation starts another thread; the
/// replacement of `pthread_create` reports it.
void squall_hear_of_threads(void (*heard)(void));
void squall_thread_was_started(void);

/// Stops the program when a simulation's code on this thread would block it with one of the C
/// library's functions: nothing else could happen meanwhile, and no time would pass.
void squall_forbid_stopping(const char *function);

/// The user of the last event on this thread, for the report of a trap; -1 for none.
extern __thread long long squall_user;

static inline void squall_note_user(long long user) { squall_user = user; }

/// Makes a trap say on standard error in which work it happened, and then end the process as it
/// would have; where `squall_report_traps` was not called.
void squall_name_traps(void);

/// Makes a trap, such as a failed precondition, report what the process was doing, and end the
/// process with 70. For a program of our own, not for other people's tests.
void squall_report_traps(void);

/// Sets the text of a trap's report: what is run, and the command that runs it again.
void squall_describe_run(const char *subject, const char *replay);

/// Has a trap in work that was begun cost that work alone: the program then starts again in this
/// process, with the same words, and `squall_faults` tells what to leave out. Everything that this
/// start was doing is done again. To be called once, after `squall_report_traps`, while no other
/// thread runs; a program that reads standard input (the word `-`) cannot start again.
void squall_contain_traps(const char *program, char **words);

/// What ended work of earlier starts of this process: lines of its name, a tab and the reason.
const char *squall_faults(void);

/// Names the work that this thread begins, and what it may take of its processor (0 for no bound),
/// and a part of it; returns 1 for work, 2 for a part, 0 where it named nothing.
int squall_begin_work(const char *name, int seconds);

/// This thread's work came to its end: what `squall_begin_work` returned.
void squall_end_work(int level);

/// Asks the processor for memory that is read or written soon; any address will do.
static inline void squall_prefetch(const void *address, unsigned long size) {
    for (unsigned long offset = 0; offset < size; offset += 64) {
        __builtin_prefetch((const char *)address + offset, 1);
    }
}

/// Real elapsed nanoseconds, also on a thread whose clocks are virtual.
long long squall_real_nanoseconds(void);

/// Sleeps in real time.
void squall_sleep_real(long long nanoseconds);

/// Copies the calling thread's name, at most `size` bytes with the terminating zero.
void squall_thread_name(char *name, unsigned long size);

/// What is called with a context when a task with a handler is cancelled; set once.
void squall_tell_of_cancellations(void (*handler)(void *));

/// Has that called with a context when the running task is cancelled, at once if it is; until the
/// record is removed, by the same task and before whatever it noted earlier.
void *squall_add_cancellation_handler(void *context);
void squall_remove_cancellation_handler(void *record);

// ExecutorHooks.c, only where the Swift runtime's executors cannot be replaced.

/// Offers each job of the default executor to a function, which returns whether it takes the job,
/// and makes an executor the main one.
void squall_hook_executors(int (*takes)(void *job), void *identity, unsigned long implementation);
/// Enqueues a job for the process's main thread.
void squall_enqueue_on_main_thread(void *job);
/// Runs a job of the default executor on no executor: on one that it did not ask for, each of its
/// calls of a function without an actor would be enqueued.
void squall_run_job(void *job);
