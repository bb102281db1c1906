#include "Interposed.h"

// Blocks as libBlocksRuntime lays them out.

struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *);
    void *descriptor;
};

/// What libdispatch captures in the block of a work item.
struct item_block {
    struct block header;
    unsigned long magic, flags;
};

extern void _Block_release(const void *block);
extern void _dispatch_block_special_invoke(void *block) __attribute__((weak));

__thread void *squall_world_of_thread;
const struct squall_dispatch_hooks *squall_hooks;

void squall_set_dispatch_hooks(const struct squall_dispatch_hooks *hooks) { squall_hooks = hooks; }
void *squall_dispatch_world(void) { return squall_world_of_thread; }
void squall_set_dispatch_world(void *world) { squall_world_of_thread = world; }

void squall_work_call(struct squall_work work) {
    if (work.is_block) {
        ((struct block *)work.context)->invoke(work.context);
    } else {
        work.function(work.context);
    }
}

void squall_work_release(struct squall_work work) {
    if (work.is_block) _Block_release(work.context);
}

int squall_work_is_barrier(struct squall_work work) {
    if (!work.is_block) return 0;
    struct item_block *item = work.context;
    if ((void *)item->header.invoke != (void *)_dispatch_block_special_invoke) return 0;
    return item->flags & 1;
}
