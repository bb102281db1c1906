#include "Process.h"

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct squall_world *world;
static pthread_key_t leaving;
static __thread struct squall_waiter *own_place;

int squall_signal(void) { return SIGRTMIN + squall_signal_above_least; }

static void struck(int number) {
    (void)number;
    int problem = errno;
    if (world) squall_fire_timers(world);
    errno = problem;
}

/// Enters this process into the world's list, if it is not there yet.
static void enter(void) {
    int32_t process = getpid();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < squall_processes_max; i++) {
            int32_t other = atomic_load(&world->members[i].process);
            if (other == process) return;
            // The place of a process that was killed is free as well, once there is no other.
            if (other != 0 && (round == 0 || kill(other, 0) == 0 || errno != ESRCH)) continue;
            if (atomic_compare_exchange_strong(&world->members[i].process, &other, process)) return;
        }
    }
}

static void exit_list(void) {
    int32_t process = getpid();
    for (int i = 0; i < squall_processes_max; i++) {
        int32_t own = process;
        if (atomic_compare_exchange_strong(&world->members[i].process, &own, 0)) return;
    }
}

static void leave(void *place) {
    own_place = NULL;
    squall_free(place);
}

/// The places of its other threads are freed by the one that steps the clock.
__attribute__((destructor)) static void end(void) {
    if (!world) return;
    if (own_place) leave(own_place);
    exit_list();
}

static void in_child(void) {
    own_place = NULL;
    enter();
}

/// Looks for Go's note in the program, the first of the objects: the waits of a Go program go past
/// the C library, so that it lives in real time, with all of its clocks.
static int bears_note(struct dl_phdr_info *object, size_t size, void *found) {
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_NOTE) continue;
        const char *notes = (const char *)object->dlpi_addr + part->p_vaddr;
        if (squall_bears_go_note(notes, (long)part->p_memsz)) *(int *)found = 1;
    }
    return 1;
}

/// Has the system refuse `io_uring`, whose waits are not seen, as one that does not have it does;
/// programs that try it do without then. It is asked for past the C library, too (liburing), so the
/// system has to refuse. Children inherit that. Only a privileged user may forbid a call and yet
/// run setuid programs with their rights; for others these have none then, as `sudo` says.
static void refuse_rings(void) {
    if (squall_system(SYS_io_uring_setup, 0, 0, 0, 0, 0, 0) < 0 && errno == ENOSYS) return;
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0) return;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void join(void) {
    int is_go = 0;
    dl_iterate_phdr(bears_note, &is_go);
    if (is_go) return;
    const char *path = getenv("SQUALL_WORLD");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    struct squall_world *found =
        mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (found == MAP_FAILED || found->layout != squall_world_layout) return;
    pthread_key_create(&leaving, leave);
    struct sigaction action = {.sa_handler = struck};
    REAL(sigaction)(squall_signal(), &action, NULL);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, squall_signal());
    pthread_sigmask(SIG_BLOCK, &own, NULL);
    int problem = errno;
    refuse_rings();
    errno = problem;
    world = found;
    enter();
    pthread_atfork(NULL, NULL, in_child);
}

// Other libraries' constructors may come first and read a clock.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_settled;
static __thread int is_joining;

struct squall_world *squall_joined(void) {
    if (!__atomic_load_n(&is_settled, __ATOMIC_ACQUIRE)) {
        // What joins closes a file, for one, and comes here again.
        if (is_joining) return NULL;
        is_joining = 1;
        pthread_once(&once, join);
        is_joining = 0;
        __atomic_store_n(&is_settled, 1, __ATOMIC_RELEASE);
    }
    return world;
}

__attribute__((constructor)) static void begin(void) { squall_joined(); }

// The program keeps its hands off the world's signal.
int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (world && number == squall_signal()) {
        if (old) memset(old, 0, sizeof *old);
        return 0;
    }
    return REAL(sigaction)(number, action, old);
}

// Another program in this process enters the list by itself, if it loads the library.
#define REPLACING_PROGRAM(call)                                                                    \
    ({                                                                                            \
        if (world) exit_list();                                                                   \
        int result = call;                                                                        \
        if (world) enter();                                                                       \
        result;                                                                                   \
    })

int execve(const char *path, char *const words[], char *const variables[]) {
    return REPLACING_PROGRAM(REAL(execve)(path, words, variables));
}

int execv(const char *path, char *const words[]) {
    return REPLACING_PROGRAM(REAL(execv)(path, words));
}

int execvp(const char *name, char *const words[]) {
    return REPLACING_PROGRAM(REAL(execvp)(name, words));
}

int execvpe(const char *name, char *const words[], char *const variables[]) {
    return REPLACING_PROGRAM(REAL(execvpe)(name, words, variables));
}

// Threads that wake by themselves to look after the runtime: src/hotspot/share of OpenJDK 17 and 21
// (NamedThread::set_name and its callers), and src/coreclr/vm of .NET. The system keeps 15 bytes.
static const char *const background_names[] = {
    "VM Periodic Tas", "VM Thread",       "VM Operation Ti", "G1 ",
    "GC Thread",       "Shenandoah",      "ZDriver",         "ZDirector",
    "ZStat",           "C1 CompilerThre", "C2 CompilerThre", "Sweeper thread",
    "Monitor Deflati", "Service Thread",  "Common-Cleaner",  "Notification Th",
    ".NET Tiered Com", ".NET Counter Po",
};

int squall_is_background(struct squall_waiter *place) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    int found = 0;
    for (size_t i = 0; i < sizeof background_names / sizeof *background_names; i++) {
        found |= !strncmp(name, background_names[i], strlen(background_names[i]));
    }
    atomic_store(&place->is_background, (uint8_t)found);
    return found;
}

struct squall_waiter *squall_own_place(void) {
    if (own_place) return own_place;
    int32_t thread = (int32_t)squall_system(SYS_gettid, 0, 0, 0, 0, 0, 0);
    for (uint32_t i = 0; i < squall_waiters_max; i++) {
        struct squall_waiter *place = &world->waiters[i];
        int32_t none = 0;
        if (!atomic_compare_exchange_strong(&place->thread, &none, thread)) continue;
        atomic_store(&place->process, getpid());
        atomic_store(&place->deadline, SQUALL_NEVER);
        atomic_store(&place->sleeps_really, 0);
        uint32_t used = atomic_load(&world->waiters_used);
        while (used < i + 1
               && !atomic_compare_exchange_weak(&world->waiters_used, &used, i + 1)) {}
        own_place = place;
        pthread_setspecific(leaving, place);
        return place;
    }
    static const char text[] = "squall: more than 4096 threads wait in stepped time\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
    abort();
}

struct squall_waiter *squall_begin_wait(enum squall_wait wait, int64_t deadline) {
    struct squall_waiter *place = squall_own_place();
    if (deadline != SQUALL_NEVER) squall_is_background(place);
    atomic_store(&place->is_struck, 0);
    atomic_store(&place->deadline, deadline);
    atomic_store(&place->wait, wait);
    atomic_fetch_add(&world->activity, 1);
    if (atomic_load(&world->is_watched)) {
        squall_system(SYS_futex, (long)&world->activity, FUTEX_WAKE, 1, 0, 0, 0);
    }
    return place;
}

void squall_end_wait(struct squall_waiter *place) {
    atomic_store(&place->wait, squall_runs);
    atomic_store(&place->deadline, SQUALL_NEVER);
}

int squall_was_struck(struct squall_waiter *place) { return atomic_exchange(&place->is_struck, 0); }

sigset_t squall_open_mask(const sigset_t *given) {
    sigset_t mask;
    if (given) mask = *given;
    else pthread_sigmask(SIG_SETMASK, NULL, &mask);
    sigdelset(&mask, squall_signal());
    return mask;
}

void squall_let_through(int lets) {
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, squall_signal());
    pthread_sigmask(lets ? SIG_UNBLOCK : SIG_BLOCK, &own, NULL);
}
#endif
