#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// Everything below may be called at any point of the program: it only writes.

static void say(const char *text) {
    unsigned long left = strlen(text);
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

static void report(int number) {
    const char *lack = lacking(errno);
    say("error: ");
    if (lack) {
        say(lack);
        say(" had run out, so ");
    }
    say("the program ");
    say(meaning(number));
    say(" (signal ");
    say_number(number, 1);
    say(")");
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
    _exit(lack ? 71 : 70);
}

void squall_report_traps(void) {
    stack_t stack = {.ss_sp = trap_stack, .ss_size = sizeof trap_stack};
    sigaltstack(&stack, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = report;
    action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (unsigned long index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        sigaction(numbers[index], &action, 0);
    }
}
