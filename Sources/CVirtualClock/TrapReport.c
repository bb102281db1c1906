#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <time.h>
#endif

__thread long long squall_user = -1;

static char trap_subject[512];
static char trap_replay[8192];
static char trap_stack[65536];

static void copy(char *place, unsigned long size, const char *text) {
    unsigned long length = text ? strnlen(text, size - 1) : 0;
    if (length > 0) {
        memcpy(place, text, length);
    }
    place[length] = 0;
}

void squall_describe_run(const char *subject, const char *replay) {
    copy(trap_subject, sizeof trap_subject, subject);
    copy(trap_replay, sizeof trap_replay, replay);
}

// Everything below may be called at any point of the program: it only writes, and starts again.

// The report, and what is kept of it.
static char trap_text[16384];
static unsigned long trap_length;

static void say(const char *text) {
    while (*text && trap_length < sizeof trap_text - 1) {
        trap_text[trap_length++] = *text++;
    }
    trap_text[trap_length] = 0;
}

static void write_text(void) {
    const char *text = trap_text;
    unsigned long left = trap_length;
    while (left > 0) {
        long written = write(2, text, left);
        if (written <= 0) {
            return;
        }
        text += written;
        left -= (unsigned long)written;
    }
}

static void say_number(long long number, int digits) {
    char text[24];
    int place = sizeof text;
    text[--place] = 0;
    do {
        text[--place] = (char)('0' + number % 10);
        number /= 10;
        digits -= 1;
    } while ((number > 0 || digits > 0) && place > 0);
    say(text + place);
}

static const char *meaning(int number) {
    switch (number) {
    case SIGSEGV:
    case SIGBUS: return "touched memory that it does not have, or recursed without end";
    case SIGABRT: return "gave up";
    case SIGFPE: return "divided by zero";
    default: return "came to a point that must not be reached";
    }
}

// The resource that the machine lacks; null when the last failed call was about something else.
static const char *lacking(int error) {
    switch (error) {
    case ENOMEM: return "memory";
    case EMFILE:
    case ENFILE: return "descriptors";
    default: return 0;
    }
}

// The bound of this thread's work, in seconds of processor time; 0 for none.
static __thread int bound;

static void say_what(int number) {
    say("the program ");
    if (number == SIGVTALRM) {
        say("used more than ");
        say_number(bound, 1);
        say(" s of processor time without an end");
    } else {
        say(meaning(number));
        say(" (signal ");
        say_number(number, 1);
        say(")");
    }
    if (squall_virtual_nanoseconds >= 0) {
        // The calendar of a run begins on 2024-09-01.
        long long elapsed = squall_virtual_nanoseconds - 1725148800LL * 1000000000LL;
        say(" at virtual time ");
        say_number(elapsed / 1000000000LL, 1);
        say(".");
        say_number(elapsed % 1000000000LL, 9);
        say(" s");
        if (squall_user >= 0) {
            say(", with user ");
            say_number(squall_user, 1);
            say(" last at work");
        }
    }
}

// Work that ends alone.

enum { descriptorsMax = 1024, faultsMax = 65536 };
static const char faults_name[] = "SQUALL_FAULTS=";
static const int kept_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
enum { keptSignals = sizeof kept_signals / sizeof *kept_signals };

static __thread char work[256];
static char program_path[4096];
static char **program_words;
static char **program_environment;
// The variable of the environment: its name, the process, and a line for each fault.
static char faults[faultsMax];
static unsigned long faults_begin;
static unsigned long faults_length;
static char was_open[descriptorsMax];
static char was_ignored[keptSignals];

static void note_fault(const char *text) {
    while (*text && faults_length < faultsMax - 1) {
        faults[faults_length++] = *text++;
    }
    faults[faults_length] = 0;
}

// Starts the program again without the work that trapped; comes back where that cannot be done.
static void start_again(int number) {
    // A line that is cut would never be found again, and the start never be the last one.
    if (!program_words || !work[0] || faultsMax - faults_length < sizeof work + 512) return;
    // What was to be left out has trapped again.
    unsigned long length = strlen(work);
    for (const char *line = faults + faults_begin; line; line = strchr(line, '\n')) {
        if (*line == '\n') line += 1;
        if (strncmp(line, work, length) == 0 && line[length] == '\t') return;
    }
    trap_length = 0;
    say_what(number);
    char what[512];
    copy(what, sizeof what, trap_text);
    note_fault(work);
    note_fault("\t");
    note_fault(what);
    note_fault("\n");
    trap_length = 0;
    say("note: ");
    say(work);
    say(" was ended by a fault of the simulation, and is left out: ");
    say(what);
    say("\n");
    write_text();
    for (int index = 0; index < keptSignals; index++) {
        signal(kept_signals[index], was_ignored[index] ? SIG_IGN : SIG_DFL);
    }
    // Locks of folders, pipes to children and the like would otherwise outlive this start.
    for (int file = 3; file < descriptorsMax; file++) {
        if (was_open[file]) continue;
#if defined(__linux__)
        syscall(SYS_close, file);
#else
        close(file);
#endif
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    execve(program_path, program_words, program_environment);
}

// Naming alone, in a process of others: it ends as it would, and says in what.

static const int trap_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { trapSignals = sizeof trap_signals / sizeof *trap_signals };
static struct sigaction handlers_before[trapSignals];
static int names_traps;
// A schedule within the work of this thread.
static __thread char part[64];

static void name_and_go_on(int number) {
    for (int index = 0; index < trapSignals; index++) {
        if (trap_signals[index] == number) sigaction(number, &handlers_before[index], 0);
    }
    if (work[0]) {
        trap_length = 0;
        say("error: ");
        say(work);
        if (part[0]) {
            say(", ");
            say(part);
        }
        say(": ");
        say_what(number);
        say("\nnote: what a client keeps behind a static property is shared by worlds; threads: 1"
            " plays them one after the other\n");
        write_text();
    }
    // To the handler that was there before, as soon as this one has returned.
    raise(number);
}

static void handle_traps(void (*handler)(int), const int *numbers, int count,
                         struct sigaction *before) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < count; index++) {
        sigaction(numbers[index], &action, before ? before + index : 0);
    }
}

static int reports_traps;

void squall_name_traps(void) {
    if (reports_traps || __atomic_exchange_n(&names_traps, 1, __ATOMIC_SEQ_CST)) return;
    handle_traps(name_and_go_on, trap_signals, trapSignals, handlers_before);
}

static void report(int number) {
    static int is_ending;
    static __thread int is_mine;
    if (is_mine) _exit(70);
    if (__atomic_exchange_n(&is_ending, 1, __ATOMIC_SEQ_CST)) {
        // Another thread's trap ends or restarts the process.
        for (;;) pause();
    }
    is_mine = 1;
    const char *lack = number == SIGVTALRM ? 0 : lacking(errno);
    if (!lack) start_again(number);
    trap_length = 0;
    say("error: ");
    if (lack) {
        say(lack);
        say(" had run out, so ");
    }
    say_what(number);
    if (trap_subject[0]) {
        say("\nerror: ");
        say(trap_subject);
    }
    say(lack ? "\nerror: take fewer users or threads, or a larger machine"
             : "\nerror: this is a mistake in Squall or in an app's code; please report it");
    if (trap_replay[0]) {
        say(lack ? "; it was this command:\n  " : " with the command that repeats it:\n  ");
        say(trap_replay);
    }
    say("\n");
    write_text();
    _exit(lack ? 71 : 70);
}

void squall_report_traps(void) {
    stack_t stack = {.ss_sp = trap_stack, .ss_size = sizeof trap_stack};
    sigaltstack(&stack, 0);
    const int endless = SIGVTALRM;
    reports_traps = 1;
    handle_traps(report, trap_signals, trapSignals, 0);
    handle_traps(report, &endless, 1, 0);
}

extern char **environ;

// Takes over what earlier starts of this process noted, and nobody else.
static void take_faults(void) {
    copy(faults, sizeof faults, faults_name);
    faults_length = strlen(faults);
    char process[24];
    snprintf(process, sizeof process, "%ld\n", (long)getpid());
    note_fault(process);
    faults_begin = faults_length;
    const char *known = getenv("SQUALL_FAULTS");
    if (known && strncmp(known, process, strlen(process)) == 0) {
        note_fault(known + strlen(process));
    }
    unsetenv("SQUALL_FAULTS");
}

void squall_contain_traps(const char *program, char **words) {
    copy(program_path, sizeof program_path, program);
    take_faults();
    for (char **word = words; *word; word++) {
        if (strcmp(*word, "-") == 0) return;
    }
    unsigned long count = 0;
    while (environ[count]) count += 1;
    program_environment = calloc(count + 2, sizeof *program_environment);
    if (!program_environment) return;
    for (unsigned long index = 0; index < count; index++) {
        // Later changes of the environment may free what it holds now.
        program_environment[index] = strdup(environ[index]);
    }
    program_environment[count] = faults;
    for (int file = 0; file < descriptorsMax; file++) {
        was_open[file] = fcntl(file, F_GETFD) >= 0;
    }
    for (int index = 0; index < keptSignals; index++) {
        struct sigaction action;
        sigaction(kept_signals[index], 0, &action);
        was_ignored[index] = action.sa_handler == SIG_IGN;
    }
    program_words = words;
}

const char *squall_faults(void) { return faults + faults_begin; }

// Work that does not end: a timer on each thread that works, by the time its processor takes.

#if defined(__linux__)
static __thread timer_t timer;
static __thread int has_timer;

static void arm(int seconds) {
    if (!has_timer) {
        if (seconds == 0) return;
        struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM};
        event._sigev_un._tid = (int)syscall(SYS_gettid);
        if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return;
        has_timer = 1;
        // The threads of Dispatch block it.
        sigset_t mine;
        sigemptyset(&mine);
        sigaddset(&mine, SIGVTALRM);
        pthread_sigmask(SIG_UNBLOCK, &mine, 0);
    }
    struct itimerspec span = {.it_value = {.tv_sec = seconds}};
    timer_settime(timer, 0, &span, 0);
}

static void drop_timer(void) {
    if (has_timer) timer_delete(timer);
    has_timer = 0;
}
#else
static void arm(int seconds) { (void)seconds; }
static void drop_timer(void) {}
#endif

// A stack for the handler on each thread that works: its own may be what is full.

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *place) {
    drop_timer();
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, 0);
    free(place);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_stack); }

static void ensure_stack(void) {
    stack_t known;
    if (sigaltstack(0, &known) != 0 || !(known.ss_flags & SS_DISABLE)) return;
    pthread_once(&stack_once, make_stack_key);
    stack_t stack = {.ss_sp = malloc(sizeof trap_stack), .ss_size = sizeof trap_stack};
    if (!stack.ss_sp) return;
    pthread_setspecific(stack_key, stack.ss_sp);
    sigaltstack(&stack, 0);
}

int squall_begin_work(const char *name, int seconds) {
    if (!(program_words || names_traps) || part[0] || !name[0]) return 0;
    if (work[0]) {
        copy(part, sizeof part, name);
        return 2;
    }
    ensure_stack();
    copy(work, sizeof work, name);
    for (char *place = work; *place; place++) {
        if (*place == '\t' || *place == '\n') *place = ' ';
    }
    bound = program_words ? seconds : 0;
    if (bound > 0) arm(bound);
    return 1;
}

void squall_end_work(int level) {
    part[0] = 0;
    if (level == 2) return;
    work[0] = 0;
    if (bound > 0) arm(0);
}
