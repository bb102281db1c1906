#include "Interposed.h"

#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

// A library's data for a thread belongs to the code on a stack: the Swift runtime's current task
// and its open accesses, and Dispatch's current frame. It is exchanged with the stack.

enum { librariesMax = 4, wordsMax = 512, stackBytes = 4 << 20 };

/// The words of a library on this thread, and some among them that stay the thread's.
struct library {
    char *start;
    size_t count;
    size_t own_start, own_end;
};

/// The place of Dispatch's free list of continuations: those that one stack has taken from it must
/// not come back with another.
enum { dispatch_cache = 3 * sizeof(void *) };

struct squall_stack {
    ucontext_t context;
    void (*function)(void *);
    void *argument;
    char *memory;
    int has_ended, is_deaf;
    char words[wordsMax];
    struct squall_stack *next;
};

static __thread struct library libraries[librariesMax];
static __thread int library_count = -1;
static __thread struct squall_stack *unused;
static __thread struct squall_stack outside;
static __thread struct squall_stack *running;

static int is_kept(const char *path) {
    const char *names[] = {"libswiftCore.so", "libswift_Concurrency.so", "libdispatch.so"};
    for (int index = 0; index < 3; index++) {
        if (strstr(path, names[index])) return 1;
    }
    return 0;
}

void squall_give_up(const char *reason) {
    const char *parts[] = {"error: ", reason, "\n"};
    for (int index = 0; index < 3; index++) {
        ssize_t written = write(STDERR_FILENO, parts[index], strlen(parts[index]));
        (void)written;
    }
    abort();
}

static int note_library(struct dl_phdr_info *info, size_t size, void *room) {
    (void)size;
    size_t *left = room;
    if (!info->dlpi_tls_data || !is_kept(info->dlpi_name)) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_TLS) continue;
        if (header->p_memsz > *left || library_count == librariesMax) {
            squall_give_up(
                "the Swift runtime and Dispatch have more data for each thread than a stack of a"
                " world has room for");
        }
        struct library *library = &libraries[library_count++];
        *library = (struct library){info->dlpi_tls_data, header->p_memsz, 0, 0};
        if (strstr(info->dlpi_name, "libdispatch.so")) {
            library->own_start = dispatch_cache;
            library->own_end = dispatch_cache + sizeof(void *);
        }
        *left -= header->p_memsz;
    }
    return 0;
}

extern void *swift_task_getCurrent(void) __attribute__((weak));

static void find_libraries(void) {
    if (library_count >= 0) return;
    // A library's words exist only after this thread has used them.
    if (swift_task_getCurrent) swift_task_getCurrent();
    library_count = 0;
    size_t left = wordsMax;
    dl_iterate_phdr(note_library, &left);
}

static void keep_words(struct squall_stack *stack) {
    char *end = stack->words;
    for (int index = 0; index < library_count; index++) {
        memcpy(end, libraries[index].start, libraries[index].count);
        end += libraries[index].count;
    }
}

static void bring_words(const struct squall_stack *stack) {
    const char *end = stack->words;
    for (int index = 0; index < library_count; index++) {
        const struct library *library = &libraries[index];
        memcpy(library->start, end, library->own_start);
        memcpy(
            library->start + library->own_end, end + library->own_end,
            library->count - library->own_end);
        end += library->count;
    }
}

static void begin(void) {
    struct squall_stack *stack = running;
    stack->function(stack->argument);
    stack->has_ended = 1;
    squall_stack_switch(stack, &outside);
}

static char *map_memory(void) {
    char *memory = mmap(
        0, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        squall_give_up(
            "there is no memory for another stack: a world has too much code that is blocked at"
            " once, or the process too many maps (vm.max_map_count)");
    }
    // Code that overflows the stack stops there.
    mprotect(memory, sysconf(_SC_PAGESIZE), PROT_NONE);
    return memory;
}

// Each exploration has threads of its own: stacks that outlived them would use up the process's
// maps.
static pthread_key_t thread_end;

static void give_back(void *unused_value) {
    (void)unused_value;
    while (unused) {
        struct squall_stack *stack = unused;
        unused = stack->next;
        munmap(stack->memory, stackBytes);
        free(stack);
    }
    squall_forget_locks();
}

__attribute__((constructor)) static void hear_of_thread_ends(void) {
    if (pthread_key_create(&thread_end, give_back)) squall_give_up("there is no thread key left");
}

struct squall_stack *squall_stack_create(void (*function)(void *), void *argument) {
    find_libraries();
    pthread_setspecific(thread_end, &unused);
    struct squall_stack *stack = unused;
    if (stack) {
        unused = stack->next;
    } else {
        stack = calloc(1, sizeof *stack);
        if (!stack) squall_give_up("there is no memory for another stack");
        stack->memory = map_memory();
    }
    stack->function = function;
    stack->argument = argument;
    stack->has_ended = 0;
    stack->is_deaf = 1;
    getcontext(&stack->context);
    stack->context.uc_stack.ss_sp = stack->memory;
    stack->context.uc_stack.ss_size = stackBytes;
    stack->context.uc_link = 0;
    makecontext(&stack->context, begin, 0);
    // A new stack begins as the thread was before any of them: without a current task.
    if (running) {
        memcpy(stack->words, outside.words, wordsMax);
    } else {
        keep_words(stack);
    }
    return stack;
}

void squall_stack_switch(struct squall_stack *from, struct squall_stack *to) {
    keep_words(from);
    bring_words(to);
    from->is_deaf = squall_set_deaf(to->is_deaf);
    running = to == &outside ? 0 : to;
    swapcontext(&from->context, &to->context);
}

void squall_stack_enter(struct squall_stack *stack) {
    // Stacks leave the world one after the other, and each restores what it found: all but the
    // first found the world.
    void *simulation = squall_current_simulation();
    long long clock = squall_virtual_clock();
    struct squall_randomness *randomness = squall_current_randomness();
    squall_stack_switch(&outside, stack);
    squall_set_current_simulation(simulation);
    squall_set_virtual_clock(clock);
    squall_set_current_randomness(randomness);
}

int squall_stack_has_ended(struct squall_stack *stack) { return stack->has_ended; }

void squall_stack_dispose(struct squall_stack *stack) {
    stack->next = unused;
    unused = stack;
}
