#include "ObjectTable.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// A hash table with a lock for each of its lines. No function is called while one is held, so no
// stack of a world blocks with it.

struct entry {
    struct object object;
    struct entry *next;
};

enum { linesMax = 1024 };
static struct line {
    atomic_flag is_held;
    struct entry *first;
} lines[linesMax];

static struct line *hold(const void *address) {
    uintptr_t mixed = ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15ULL;
    struct line *line = &lines[mixed >> 54];
    while (atomic_flag_test_and_set_explicit(&line->is_held, memory_order_acquire)) {
        syscall(SYS_sched_yield);
    }
    return line;
}

static void let_go(struct line *line) {
    atomic_flag_clear_explicit(&line->is_held, memory_order_release);
}

/// The link to the entry of an object, or to the end of its line.
static struct entry **place(struct line *line, const void *address) {
    struct entry **place = &line->first;
    while (*place && (*place)->object.address != address) place = &(*place)->next;
    return place;
}

void squall_known_note(struct object object) {
    object.references = 1;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) abort();
    struct line *line = hold(object.address);
    *entry = (struct entry){object, line->first};
    line->first = entry;
    let_go(line);
}

int squall_known_find(const void *address, struct object *found) {
    struct line *line = hold(address);
    struct entry *entry = *place(line, address);
    if (entry) *found = entry->object;
    let_go(line);
    return entry != NULL;
}

void squall_known_retain(const void *address) {
    struct line *line = hold(address);
    struct entry *entry = *place(line, address);
    if (entry) entry->object.references++;
    let_go(line);
}

int squall_known_release(const void *address, struct object *found) {
    struct line *line = hold(address);
    struct entry **where = place(line, address), *entry = *where;
    int is_last = entry && --entry->object.references == 0;
    if (is_last) *where = entry->next;
    let_go(line);
    if (!is_last) return 0;
    *found = entry->object;
    free(entry);
    return 1;
}

void *squall_known_exchange_target(const void *address, void *target) {
    struct line *line = hold(address);
    struct entry *entry = *place(line, address);
    void *old = target;
    if (entry) {
        old = entry->object.target;
        entry->object.target = target;
    }
    let_go(line);
    return old;
}

void squall_known_set_active(const void *address) {
    struct line *line = hold(address);
    struct entry *entry = *place(line, address);
    if (entry) entry->object.is_inactive = 0;
    let_go(line);
}

void squall_known_set_cancelled(const void *address) {
    struct line *line = hold(address);
    struct entry *entry = *place(line, address);
    if (entry) entry->object.is_cancelled = 1;
    let_go(line);
}
