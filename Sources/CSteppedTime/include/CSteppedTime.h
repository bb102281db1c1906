#pragma once

// Time that moves when every thread of some processes rests. Linux alone; elsewhere none is made.
//
// All that belongs to a world is kept on one processor: what its processes send to one another then
// waits in that processor's queue, where it can be seen, and nothing of theirs runs while this looks.

struct squall_stepped;

/// A world whose clock of the day shows `day` nanoseconds since 1970 at its beginning; null with the
/// problem. `library` is the file that processes load.
struct squall_stepped *squall_stepped_create(
    long long day, unsigned long long seed, const char *library, const char **problem);
void squall_stepped_free(struct squall_stepped *world);

/// What the environment of its processes needs: the world's file, and the library's name without
/// spaces.
const char *squall_stepped_file(const struct squall_stepped *world);
const char *squall_stepped_library(const struct squall_stepped *world);

/// A process belongs to it, with all that it starts.
void squall_stepped_add(struct squall_stepped *world, int process);

/// 1 once there were more processes at once than a world can hold, 0 before.
int squall_stepped_is_full(const struct squall_stepped *world);

/// The elapsed time in nanoseconds.
long long squall_stepped_now(const struct squall_stepped *world);

/// Sets how far its processes' clock of the day is ahead.
void squall_stepped_set_day_ahead(struct squall_stepped *world, long long nanoseconds);

/// 1 while every thread rests and nothing is on its way between processes.
int squall_stepped_rests(struct squall_stepped *world);

/// Comes back when there may be rest, at the latest after a moment.
void squall_stepped_pause(struct squall_stepped *world);

/// Lets the clock follow real time for a step if there has been no rest for long, and wakes all
/// whose deadline has come; returns whether it did.
int squall_stepped_follow(struct squall_stepped *world);

/// Lets the clock follow real time while all rest and something outside may happen.
void squall_stepped_idle(struct squall_stepped *world);

/// Real elapsed nanoseconds.
long long squall_stepped_real(void);

/// The first deadline; the largest number where there is none.
long long squall_stepped_earliest(struct squall_stepped *world);

/// Moves the clock.
void squall_stepped_move(struct squall_stepped *world, long long now);

/// Wakes one thread whose deadline has come, or lets one timer go off; returns whether there was
/// one. Which of several comes first is drawn.
int squall_stepped_wake(struct squall_stepped *world);

/// Ends every process that still runs.
void squall_stepped_end(struct squall_stepped *world);

/// What it has done so far.
struct squall_stepped_tally {
    long long moves, looks;
    /// Nanoseconds for which the clock followed real time, and which program did not rest.
    long long followed;
    const char *restless;
    /// Processes that did not load the library, and the name of the first one.
    int outsiders;
    const char *outsider;
    /// Connections to other machines, and where the first one leads.
    int connections;
    const char *connection;
    /// How many processes and threads there were at most at once.
    int processes, threads;
};

struct squall_stepped_tally squall_stepped_told(const struct squall_stepped *world);

/// Describes what each thread waits for, a line for each.
const char *squall_stepped_waits(struct squall_stepped *world);

/// Why a program cannot live in stepped time, as the end of a sentence that begins with its file;
/// null where it can. `next` is the program that a script names, which must be asked for as well.
const char *squall_stepped_unfit(const char *file, char *next, int size);

/// Lets a process that its parent leaves behind become a child of this one.
void squall_stepped_adopt(void);
