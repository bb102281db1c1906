#include "CVirtualClock.h"

// The runtime's functions, as `withTaskCancellationHandler` calls them.
#define SWIFT __attribute__((swiftcall))
#define CONTEXT __attribute__((swift_context))

SWIFT void *swift_task_addCancellationHandler(
    SWIFT void (*handler)(CONTEXT void *), void *context);
SWIFT void swift_task_removeCancellationHandler(void *record);

static void (*tell)(void *) = 0;

static SWIFT void told(CONTEXT void *context) { tell(context); }

void squall_tell_of_cancellations(void (*handler)(void *)) { tell = handler; }

void *squall_add_cancellation_handler(void *context) {
    return swift_task_addCancellationHandler(told, context);
}

void squall_remove_cancellation_handler(void *record) {
    swift_task_removeCancellationHandler(record);
}
