#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSteppedTime.h"

#ifdef __linux__
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "World.h"

/// A thread of the world; its file tells what it does.
struct thread {
    int number, process, file;
};

/// A process of the world.
struct process {
    int number;
    /// Where it stands among the processes that have loaded the library.
    int place;
    /// 1 once it has been reported that it rested without the library.
    int is_outsider;
};

struct squall_stepped {
    struct squall_world *shared;
    char folder[64], file[96], library[128];
    struct thread *threads;
    int thread_count, thread_room;
    struct process processes[squall_processes_max];
    int process_count;
    /// 1 once a process found no place here.
    int is_full;
    int load_file, queue_file;
    /// The number of the newest thread of the system at the last look.
    long newest;
    /// 1 if there have been new threads since the last rest.
    int has_news;
    uint64_t draws;
    /// When there was rest last, in real nanoseconds, and the processor time soon after, in ticks;
    /// 0 while it is not known.
    int64_t rested, followed_at;
    long used_before;
    long pause;
    int strikes, last_struck;
    int64_t last_deadline;
    /// When threads of runtimes were woken last, in real nanoseconds.
    int64_t tended_at;
    /// Since when nothing but those is due; -1 while something is.
    int64_t idle_since;
    struct squall_stepped_tally tally;
    char restless[32], outsider[32];
    char *text;
};

/// Without rest for so much processor or real time, the clock follows real time.
static const int64_t used_max = 5, real_max = 60;
enum { strikes_max = 100 };
/// Threads of runtimes look after them at intervals of real time; and for so long of the clock they
/// move it where nothing else does, since a runtime that ends waits for them.
static const int64_t tending_interval = 10000000, tended_max = 10000000000;

long long squall_stepped_real(void) {
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int make_files(struct squall_stepped *world, const char *library) {
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(world->folder, sizeof world->folder, "%s/squall-XXXXXX", place);
    if (!mkdtemp(world->folder)) return -1;
    snprintf(world->file, sizeof world->file, "%s/world", world->folder);
    // The name that the loader is given may hold neither spaces nor colons.
    snprintf(world->library, sizeof world->library, "%s/libSquallPreload.so", world->folder);
    if (symlink(library, world->library) < 0) return -1;
    int file = open(world->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    if (ftruncate(file, sizeof *world->shared) == 0) {
        world->shared = mmap(
            NULL, sizeof *world->shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    return world->shared && world->shared != MAP_FAILED ? 0 : -1;
}

/// Keeps this thread, and with it all it starts, on the processor on which it is.
static int stay_on_processor(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    int processor = sched_getcpu();
    CPU_SET(processor < 0 ? 0 : processor, &one);
    if (sched_setaffinity(0, sizeof one, &one) < 0) return -1;
    // Woken while a thread of the world runs, this one waits until that has come to rest.
    struct sched_param none = {0};
    sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none);
    return 0;
}

struct squall_stepped *squall_stepped_create(
    long long day, unsigned long long seed, const char *library, const char **problem) {
    struct squall_stepped *world = calloc(1, sizeof *world);
    if (!world) return NULL;
    world->load_file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    world->queue_file = open("/proc/net/softnet_stat", O_RDONLY | O_CLOEXEC);
    if (world->load_file < 0 || world->queue_file < 0 || make_files(world, library) < 0
        || stay_on_processor() < 0) {
        static char text[128];
        snprintf(text, sizeof text, "%s", strerror(errno));
        *problem = text;
        squall_stepped_free(world);
        return NULL;
    }
    world->shared->layout = squall_world_layout;
    world->shared->day_base = day;
    world->shared->elapsed_base = 100000LL * 1000000000;
    world->shared->seed = seed;
    world->draws = seed;
    world->newest = -1;
    world->idle_since = -1;
    world->rested = squall_stepped_real();
    world->tally.restless = world->restless;
    world->tally.outsider = world->outsider;
    return world;
}

void squall_stepped_free(struct squall_stepped *world) {
    for (int i = 0; i < world->thread_count; i++) close(world->threads[i].file);
    if (world->load_file >= 0) close(world->load_file);
    if (world->queue_file >= 0) close(world->queue_file);
    if (world->file[0]) unlink(world->file);
    if (world->library[0]) unlink(world->library);
    if (world->folder[0]) rmdir(world->folder);
    if (world->shared) munmap(world->shared, sizeof *world->shared);
    free(world->threads);
    free(world->text);
    free(world);
}

const char *squall_stepped_file(const struct squall_stepped *world) { return world->file; }
const char *squall_stepped_library(const struct squall_stepped *world) { return world->library; }

long long squall_stepped_now(const struct squall_stepped *world) {
    return atomic_load(&world->shared->now);
}

void squall_stepped_set_day_ahead(struct squall_stepped *world, long long nanoseconds) {
    atomic_store(&world->shared->day_ahead, nanoseconds);
}

// What the system tells

static long read_again(int file, char *buffer, long size) {
    long count = pread(file, buffer, size - 1, 0);
    buffer[count > 0 ? count : 0] = 0;
    return count;
}

static long read_file(const char *path, char *buffer, long size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    long count = read_again(file, buffer, size);
    close(file);
    return count;
}

/// What stands behind the name of a process or thread in its `stat`: state, parent and so on.
static const char *behind_name(const char *text) {
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' ? end + 2 : NULL;
}

static void name_of(int process, char *name, int size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/comm", process);
    if (read_file(path, name, size) <= 0) snprintf(name, size, "process %d", process);
    name[strcspn(name, "\n")] = 0;
}

static struct process *process_of(struct squall_stepped *world, int number) {
    for (int i = 0; i < world->process_count; i++) {
        if (world->processes[i].number == number) return &world->processes[i];
    }
    return NULL;
}

void squall_stepped_add(struct squall_stepped *world, int process) {
    if (process_of(world, process)) return;
    if (world->process_count == squall_processes_max) {
        world->is_full = 1;
        return;
    }
    world->processes[world->process_count++] = (struct process){.number = process};
    if (world->process_count > world->tally.processes) {
        world->tally.processes = world->process_count;
    }
    world->newest = -1;
}

static int has_thread(const struct squall_stepped *world, int number) {
    for (int i = 0; i < world->thread_count; i++) {
        if (world->threads[i].number == number) return 1;
    }
    return 0;
}

static int add_thread(struct squall_stepped *world, int process, int number) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", process, number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (world->thread_count == world->thread_room) {
        int room = world->thread_room ? world->thread_room * 2 : 64;
        struct thread *threads = realloc(world->threads, room * sizeof *threads);
        if (!threads) {
            close(file);
            return 0;
        }
        world->threads = threads;
        world->thread_room = room;
    }
    world->threads[world->thread_count++] = (struct thread){number, process, file};
    if (world->thread_count > world->tally.threads) world->tally.threads = world->thread_count;
    return 1;
}

/// Adds the threads of a process that are new; returns how many there are.
static int add_threads(struct squall_stepped *world, int process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *folder = opendir(path);
    if (!folder) return 0;
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(folder))) {
        int number = atoi(entry->d_name);
        if (number <= 0) continue;
        count += has_thread(world, number) || add_thread(world, process, number);
    }
    closedir(folder);
    return count;
}

/// 1 for a process that one of the world's has started, or left behind.
static int is_offspring(struct squall_stepped *world, int number) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", number);
    if (read_file(path, text, sizeof text) <= 0) return 0;
    const char *facts = behind_name(text);
    int parent = 0;
    if (!facts || sscanf(facts, "%*c %d", &parent) != 1) return 0;
    if (parent != getpid()) return process_of(world, parent) != NULL;
    // A thread has its own number in the list of all, but is no process.
    snprintf(path, sizeof path, "/proc/%d/task/%d", number, number);
    return number != getpid() && access(path, F_OK) == 0 && world->process_count > 0;
}

int squall_stepped_is_full(const struct squall_stepped *world) { return world->is_full; }

static void remove_process(struct squall_stepped *world, int number) {
    for (int i = 0; i < world->process_count; i++) {
        if (world->processes[i].number != number) continue;
        world->processes[i] = world->processes[--world->process_count];
        break;
    }
    struct squall_world *shared = world->shared;
    for (int i = 0; i < squall_processes_max; i++) {
        if (atomic_load(&shared->members[i].process) == number) {
            atomic_store(&shared->members[i].process, 0);
        }
    }
    for (int i = 0; i < squall_timers_max; i++) {
        if (atomic_load(&shared->timers[i].process) != number) continue;
        atomic_store(&shared->timers[i].deadline, SQUALL_NEVER);
        atomic_store(&shared->timers[i].process, 0);
    }
}

/// Adds the processes and threads that have come since the newest one that was known. Their numbers
/// grow, until they begin again.
static void find_new(struct squall_stepped *world, long newest) {
    for (int i = world->process_count - 1; i >= 0; i--) {
        int number = world->processes[i].number;
        if (!add_threads(world, number)) remove_process(world, number);
    }
    long known = newest > world->newest ? world->newest : 0;
    int count = -1;
    while (count != world->process_count) {
        count = world->process_count;
        DIR *folder = opendir("/proc");
        if (!folder) return;
        struct dirent *entry;
        while ((entry = readdir(folder))) {
            int number = atoi(entry->d_name);
            if (number <= 0 || number <= known || process_of(world, number)
                || !is_offspring(world, number)) continue;
            squall_stepped_add(world, number);
            // It may have ended meanwhile.
            if (!add_threads(world, number)) remove_process(world, number);
        }
        closedir(folder);
    }
    world->newest = newest;
    world->has_news = 1;
}

/// The number that the system gave last; it changes with each new thread.
static long newest_thread(struct squall_stepped *world) {
    char text[128];
    read_again(world->load_file, text, sizeof text);
    const char *last = strrchr(text, ' ');
    return last ? atol(last) : -2;
}

/// 1 while packets wait in a queue of a processor: the last but one number of its line; 0 where a
/// system does not tell that.
static int has_packets(struct squall_stepped *world) {
    char text[16384];
    // One read brings a page at the most, which is the lines of some 30 processors.
    for (long place = 0;;) {
        long size = pread(world->queue_file, text, sizeof text - 1, place);
        text[size > 0 ? size : 0] = 0;
        char *line = text;
        for (char *next; (next = strchr(line, '\n')); line = next + 1) {
            unsigned long fields[13] = {0};
            char *end = line;
            int count = 0;
            while (count < 13 && end < next) fields[count++] = strtoul(end, &end, 16);
            if (count >= 12 && fields[11] > 0) return 1;
        }
        if (line == text) return 0;
        place += line - text;
    }
}

/// A thread has ended: its place is free, and its process's where it was the last one.
static void remove_thread(struct squall_stepped *world, int place) {
    struct thread gone = world->threads[place];
    close(gone.file);
    world->threads[place] = world->threads[--world->thread_count];
    struct squall_world *shared = world->shared;
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        struct squall_waiter *waiter = &shared->waiters[i];
        if (atomic_load(&waiter->thread) == gone.number) squall_free(waiter);
    }
    for (int i = 0; i < world->thread_count; i++) {
        if (world->threads[i].process == gone.process) return;
    }
    remove_process(world, gone.process);
}

static int sleeps_really(const struct squall_world *shared) {
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        if (atomic_load(&shared->waiters[i].sleeps_really)) return 1;
    }
    return 0;
}

static int is_member(struct squall_stepped *world, struct process *process) {
    struct squall_member *members = world->shared->members;
    if (atomic_load(&members[process->place].process) == process->number) return 1;
    for (int i = 0; i < squall_processes_max; i++) {
        if (atomic_load(&members[i].process) != process->number) continue;
        process->place = i;
        return 1;
    }
    return 0;
}

/// Notes processes that rest and have not loaded the library.
static void note_outsiders(struct squall_stepped *world) {
    for (int i = 0; i < world->process_count; i++) {
        struct process *process = &world->processes[i];
        if (process->is_outsider || is_member(world, process)) continue;
        process->is_outsider = 1;
        if (world->tally.outsiders++ == 0) {
            name_of(process->number, world->outsider, sizeof world->outsider);
        }
    }
}

/// The processor time that the world's threads have used, in ticks.
static long used(struct squall_stepped *world) {
    long sum = 0;
    for (int i = 0; i < world->thread_count; i++) {
        char text[512];
        if (read_again(world->threads[i].file, text, sizeof text) <= 0) continue;
        const char *facts = behind_name(text);
        unsigned long own = 0, system = 0;
        if (facts
            && sscanf(
                   facts, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &own, &system)
                == 2) sum += (long)(own + system);
    }
    return sum;
}

/// Frees the places of threads that have ended unseen; to be called when all threads are known.
static void prune(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        struct squall_waiter *waiter = &shared->waiters[i];
        int thread = atomic_load(&waiter->thread);
        if (thread && !has_thread(world, thread)) squall_free(waiter);
    }
    world->has_news = 0;
}

/// How often this thread has lost its processor.
static long switches(void) {
    struct rusage usage;
    syscall(SYS_getrusage, RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/// 1 if no thread runs and nothing is on its way, provided that nothing runs meanwhile.
static int seems_to_rest(struct squall_stepped *world) {
    world->tally.looks++;
    long newest = newest_thread(world);
    if (newest != world->newest) find_new(world, newest);
    for (int i = 0; i < world->thread_count; i++) {
        struct thread *thread = &world->threads[i];
        char text[512];
        const char *facts =
            read_again(thread->file, text, sizeof text) > 0 ? behind_name(text) : NULL;
        char state = facts ? *facts : 'X';
        if (state == 'X' || state == 'x' || state == 'Z') {
            remove_thread(world, i--);
            continue;
        }
        if (state == 'S' || state == 'I') continue;
        // It is likely to be the one that runs at the next look, too.
        struct thread first = *thread;
        *thread = world->threads[0];
        world->threads[0] = first;
        return 0;
    }
    return !sleeps_really(world->shared) && !has_packets(world);
}

int squall_stepped_rests(struct squall_stepped *world) {
    long before;
    do {
        before = switches();
        if (!seems_to_rest(world)) return 0;
        // Whatever ran meanwhile may have woken a thread that had been looked at.
    } while (switches() != before);
    if (world->has_news) prune(world);
    note_outsiders(world);
    world->rested = 0;
    world->pause = 0;
    return 1;
}

void squall_stepped_pause(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    // Waits that the library does not see wake nobody here, so the pauses end by themselves.
    world->pause = world->pause ? world->pause * 2 : 50000;
    if (world->pause > 4000000) world->pause = 4000000;
    struct timespec span = {0, world->pause};
    uint32_t seen = atomic_load(&shared->activity);
    atomic_store(&shared->is_watched, 1);
    long result = syscall(SYS_futex, &shared->activity, FUTEX_WAIT, seen, &span, NULL, 0);
    atomic_store(&shared->is_watched, 0);
    if (result == 0) world->pause = 0;
}

// Deadlines

/// The first deadline of a thread, of runtimes' own or of others.
static int64_t first_deadline(const struct squall_world *shared, int is_background) {
    int64_t first = SQUALL_NEVER;
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        const struct squall_waiter *waiter = &shared->waiters[i];
        if (!atomic_load(&waiter->thread)
            || atomic_load(&waiter->is_background) != is_background) continue;
        int64_t deadline = atomic_load(&waiter->deadline);
        if (deadline < first) first = deadline;
    }
    return first;
}

long long squall_stepped_earliest(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    int64_t first = first_deadline(shared, 0);
    for (int i = 0; i < squall_timers_max; i++) {
        if (!atomic_load(&shared->timers[i].process)) continue;
        int64_t deadline = atomic_load(&shared->timers[i].deadline);
        if (deadline < first) first = deadline;
    }
    if (first < SQUALL_NEVER - 1) {
        world->idle_since = -1;
        return first;
    }
    if (world->idle_since < 0) world->idle_since = atomic_load(&shared->now);
    first = first_deadline(shared, 1);
    return first <= world->idle_since + tended_max ? first : SQUALL_NEVER;
}

void squall_stepped_move(struct squall_stepped *world, long long now) {
    if (now <= atomic_load(&world->shared->now)) return;
    world->tally.moves++;
    atomic_store(&world->shared->now, now);
}

static void strike(struct squall_waiter *waiter) {
    atomic_store(&waiter->is_struck, 1);
    int thread = atomic_load(&waiter->thread), process = atomic_load(&waiter->process);
    if (syscall(SYS_tgkill, process, thread, SIGRTMIN + squall_signal_above_least) < 0) {
        squall_free(waiter);
    }
}

/// Lets a timer of a process go off, by one of its threads that wait.
static void go_off(struct squall_stepped *world, struct squall_timer *timer) {
    struct squall_world *shared = world->shared;
    int process = atomic_load(&timer->process);
    int64_t deadline = atomic_load(&timer->deadline), interval = atomic_load(&timer->interval);
    if (atomic_load(&timer->file) < 0) {
        atomic_store(&timer->deadline, interval > 0 ? deadline + interval : SQUALL_NEVER);
        kill(process, SIGALRM);
        return;
    }
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        struct squall_waiter *waiter = &shared->waiters[i];
        if (atomic_load(&waiter->thread) && atomic_load(&waiter->process) == process
            && atomic_load(&waiter->wait) != squall_runs) return strike(waiter);
    }
    // Nobody of the process waits where a signal can reach it.
    atomic_store(&timer->deadline, SQUALL_NEVER);
}

/// Wakes every thread whose deadline has come, and lets each such timer go off.
static void wake_all(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    int64_t now = atomic_load(&shared->now);
    uint32_t used = atomic_load(&shared->waiters_used);
    for (uint32_t i = 0; i < used; i++) {
        struct squall_waiter *waiter = &shared->waiters[i];
        if (atomic_load(&waiter->thread) && atomic_load(&waiter->deadline) <= now) strike(waiter);
    }
    for (int i = 0; i < squall_timers_max; i++) {
        struct squall_timer *timer = &shared->timers[i];
        if (atomic_load(&timer->process) && atomic_load(&timer->deadline) <= now) {
            go_off(world, timer);
        }
    }
}

int squall_stepped_follow(struct squall_stepped *world) {
    int64_t now = squall_stepped_real();
    if (!world->rested) {
        world->rested = now;
        world->followed_at = 0;
        world->used_before = 0;
        return 0;
    }
    if (!world->followed_at) {
        // Looking at every thread is worth it only now and then.
        if (now - world->rested < 1000000000) return 0;
        long ticks = sysconf(_SC_CLK_TCK);
        if (!world->used_before) world->used_before = used(world);
        if (now - world->rested < real_max * 1000000000
            && used(world) - world->used_before < used_max * ticks) return 0;
        world->followed_at = now;
        if (!world->restless[0] && world->thread_count > 0) {
            name_of(world->threads[0].process, world->restless, sizeof world->restless);
        }
        return 0;
    }
    int64_t span = now - world->followed_at;
    if (span < 1000000) return 0;
    world->followed_at = now;
    world->tally.followed += span;
    squall_stepped_move(world, atomic_load(&world->shared->now) + span);
    wake_all(world);
    return 1;
}

void squall_stepped_idle(struct squall_stepped *world) {
    int64_t before = squall_stepped_real();
    struct timespec moment = {0, 1000000};
    syscall(SYS_nanosleep, &moment, NULL);
    int64_t span = squall_stepped_real() - before;
    world->tally.followed += span;
    squall_stepped_move(world, atomic_load(&world->shared->now) + span);
}

static uint64_t draw(struct squall_stepped *world) {
    return squall_mixed(world->draws += squall_mixing_step);
}

/// One of those with the first deadline, if that has come: the place of a waiter, or of a timer
/// behind all waiters; -1 for none.
static int overdue(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    int64_t first = atomic_load(&shared->now);
    int chosen = -1, count = 0, waiters = (int)atomic_load(&shared->waiters_used);
    for (int i = 0; i < waiters + squall_timers_max; i++) {
        struct squall_waiter *waiter = i < waiters ? &shared->waiters[i] : NULL;
        struct squall_timer *timer = waiter ? NULL : &shared->timers[i - waiters];
        if (!atomic_load(waiter ? &waiter->thread : &timer->process)) continue;
        if (waiter && atomic_load(&waiter->is_background)) continue;
        int64_t deadline = atomic_load(waiter ? &waiter->deadline : &timer->deadline);
        if (deadline > first) continue;
        if (deadline < first) count = 0;
        first = deadline;
        // Each of those that were seen is as likely to be kept.
        if (draw(world) % (uint64_t)++count == 0) chosen = i;
    }
    return chosen;
}

/// Wakes the threads of runtimes whose deadlines have come, all at once and not too often: they are
/// many, and nobody waits for them.
static int wake_background(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    int64_t real = squall_stepped_real();
    if (world->idle_since < 0 && real - world->tended_at < tending_interval) return 0;
    int64_t now = atomic_load(&shared->now);
    uint32_t used = atomic_load(&shared->waiters_used);
    int count = 0;
    for (uint32_t i = 0; i < used; i++) {
        struct squall_waiter *waiter = &shared->waiters[i];
        if (!atomic_load(&waiter->thread) || !atomic_load(&waiter->is_background)
            || atomic_load(&waiter->deadline) > now) continue;
        strike(waiter);
        count++;
    }
    if (count) world->tended_at = real;
    return count;
}

int squall_stepped_wake(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    if (wake_background(world)) return 1;
    int chosen = overdue(world), waiters = (int)atomic_load(&shared->waiters_used);
    if (chosen < 0) return 0;
    if (chosen >= waiters) {
        go_off(world, &shared->timers[chosen - waiters]);
        return 1;
    }
    struct squall_waiter *waiter = &shared->waiters[chosen];
    int thread = atomic_load(&waiter->thread);
    int64_t deadline = atomic_load(&waiter->deadline);
    int is_again = thread == world->last_struck && deadline == world->last_deadline;
    world->strikes = is_again ? world->strikes + 1 : 0;
    world->last_struck = thread;
    world->last_deadline = deadline;
    // A program that keeps the signal away is not waited for.
    if (world->strikes > strikes_max) atomic_store(&waiter->deadline, SQUALL_NEVER);
    else strike(waiter);
    return 1;
}

// The end

void squall_stepped_end(struct squall_stepped *world) {
    // What starts others meanwhile is found by the next look.
    for (int round = 0; round < 100 && world->process_count > 0; round++) {
        for (int i = 0; i < world->process_count; i++) kill(world->processes[i].number, SIGKILL);
        struct timespec moment = {0, 1000000};
        syscall(SYS_nanosleep, &moment, NULL);
        squall_stepped_rests(world);
    }
    for (int i = world->process_count - 1; i >= 0; i--) {
        remove_process(world, world->processes[i].number);
    }
}

struct squall_stepped_tally squall_stepped_told(const struct squall_stepped *world) {
    struct squall_stepped_tally tally = world->tally;
    tally.connections = (int)atomic_load(&world->shared->outside);
    tally.connection = world->shared->outside_address;
    return tally;
}

void squall_stepped_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// What a thread waits for that the library has not seen: by the number of its system call.
static const char *call_of(int process, int thread) {
    static const struct {
        long number;
        const char *words;
    } calls[] = {
        {SYS_futex, "a lock, or the end of a thread"}, {SYS_wait4, "the end of a child"},
        {SYS_waitid, "the end of a child"},            {SYS_read, "input (read)"},
        {SYS_readv, "input (read)"},                   {SYS_recvfrom, "bytes of a socket (recv)"},
        {SYS_recvmsg, "bytes of a socket (recv)"},     {SYS_accept, "a connection (accept)"},
        {SYS_accept4, "a connection (accept)"},        {SYS_connect, "a connection (connect)"},
        {SYS_sendto, "room in a socket (send)"},       {SYS_write, "room for output (write)"},
        {SYS_flock, "a lock of a file"},               {SYS_rt_sigtimedwait, "a signal"},
        {SYS_rt_sigsuspend, "a signal"},
    };
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", process, thread);
    if (read_file(path, text, sizeof text) <= 0 || !isdigit((unsigned char)*text)) return NULL;
    long number = atol(text);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].number == number) return calls[i].words;
    }
    return NULL;
}

static const char *const wait_words[] = {
    [squall_runs] = "something outside",
    [squall_polls] = "a file or socket (poll), without a deadline",
    [squall_sleeps] = "nothing (sleep), without a deadline",
    [squall_awaits_condition] = "a condition, without a deadline",
    [squall_awaits_semaphore] = "a semaphore, without a deadline",
    [squall_awaits_word] = "a lock, without a deadline",
};

const char *squall_stepped_waits(struct squall_stepped *world) {
    struct squall_world *shared = world->shared;
    long size = 256L * (world->thread_count + 1), length = 0;
    free(world->text);
    world->text = malloc(size);
    if (!world->text) return "";
    world->text[0] = 0;
    for (int i = 0; i < world->thread_count && length < size - 256; i++) {
        struct thread *thread = &world->threads[i];
        char program[32], name[32], path[64];
        name_of(thread->process, program, sizeof program);
        snprintf(path, sizeof path, "/proc/%d/task/%d/comm", thread->process, thread->number);
        if (read_file(path, name, sizeof name) <= 0) continue;
        name[strcspn(name, "\n")] = 0;
        int wait = squall_runs, is_background = 0;
        uint32_t used = atomic_load(&shared->waiters_used);
        for (uint32_t j = 0; j < used; j++) {
            if (atomic_load(&shared->waiters[j].thread) != thread->number) continue;
            wait = atomic_load(&shared->waiters[j].wait);
            is_background = atomic_load(&shared->waiters[j].is_background);
        }
        if (is_background) continue;
        const char *call = wait == squall_runs ? call_of(thread->process, thread->number) : NULL;
        length += snprintf(
            world->text + length, size - length, "%s (%d), thread %s: waits for %s\n", program,
            thread->process, name, call ? call : wait_words[wait]);
    }
    return world->text;
}
#endif
