#define _GNU_SOURCE
#include "CVirtualClock.h"

#include <dlfcn.h>
#include <string.h>

// The Swift runtime's hooks for its executors: for macOS, where the executors cannot be replaced.
// They see every job of runtimes before Swift 6.2, so of macOS 15. A newer one gives the job of a
// Task.yield to Dispatch, past all hooks; ExecutorSelfTest refuses to run there. With
// SQUALL_EXECUTOR_HOOKS they are used on Linux, to prove them.
#if defined(__APPLE__) || defined(SQUALL_EXECUTOR_HOOKS)

#define SWIFT __attribute__((swiftcall))

struct executor {
    void *identity;
    unsigned long implementation;
};

typedef SWIFT void (*enqueue)(void *job);
typedef SWIFT struct executor (*get_main)(void);
typedef SWIFT _Bool (*is_main)(void *identity, unsigned long implementation);

extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);
extern SWIFT struct executor (*swift_task_getMainExecutor_hook)(get_main original);
extern SWIFT _Bool (*swift_task_isMainExecutor_hook)(
    void *identity, unsigned long implementation, is_main original);
extern SWIFT void swift_task_enqueueMainExecutor(void *job);
extern SWIFT void swift_job_run(void *job, void *identity, unsigned long implementation);

static int (*takes)(void *job);
static struct executor main_executor;

static SWIFT void hand_over(void *job, enqueue original) {
    if (!takes(job)) original(job);
}

static SWIFT struct executor own_main(get_main original) {
    (void)original;
    return main_executor;
}

static SWIFT _Bool is_own_main(void *identity, unsigned long implementation, is_main original) {
    return identity == main_executor.identity || original(identity, implementation);
}

void squall_hook_executors(
    int (*taking)(void *job), void *identity, unsigned long implementation) {
    takes = taking;
    main_executor = (struct executor){identity, implementation};
    swift_task_getMainExecutor_hook = own_main;
    swift_task_isMainExecutor_hook = is_own_main;
    swift_task_enqueueGlobal_hook = hand_over;
}

void squall_enqueue_on_main_thread(void *job) { swift_task_enqueueMainExecutor(job); }

void squall_run_job(void *job) { swift_job_run(job, 0, 0); }

#ifdef __linux__
/// Takes the job of a Task.yield, for the proof: a Mac's linker cannot put this before Dispatch's.
__attribute__((weak, visibility("default"))) void dispatch_async_f(
    void *queue, void *context, void (*function)(void *)) {
    Dl_info place;
    if (squall_current_simulation() && dladdr(__builtin_return_address(0), &place) &&
        place.dli_fname && strstr(place.dli_fname, "libswift_Concurrency") && takes(context))
        return;
    void (*real)(void *, void *, void (*)(void *));
    *(void **)&real = dlsym(RTLD_NEXT, "dispatch_async_f");
    real(queue, context, function);
}
#endif

#endif
