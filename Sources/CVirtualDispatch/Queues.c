#include "Interposed.h"
#include "ObjectTable.h"

#include <stdatomic.h>
#include <stdint.h>

// Facts about queues: noted at their creation, on any thread, because they cannot be queried later.

typedef void *object;

extern object dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
extern void *dispatch_queue_get_specific(object, const void *);
extern const char *dispatch_queue_get_label(object);
extern void dispatch_retain(object);
extern void dispatch_release(object);
extern char _dispatch_main_q, _dispatch_queue_attr_concurrent;

enum { attributesMax = 8192 };
static _Atomic(void *) concurrent[attributesMax], inactive[attributesMax];

static int note(_Atomic(void *) *table, void *attribute, int adds) {
    size_t start = ((uintptr_t)attribute >> 4) % attributesMax;
    for (size_t step = 0; step < attributesMax; step++) {
        _Atomic(void *) *place = &table[(start + step) % attributesMax];
        void *found = atomic_load(place);
        if (found == attribute) return 1;
        if (found) continue;
        if (!adds) return 0;
        if (atomic_compare_exchange_strong(place, &found, attribute)) return 1;
        if (found == attribute) return 1;
    }
    if (adds) squall_give_up("Dispatch has more attributes of queues than are known");
    return 0;
}

static int is_concurrent(void *attribute) {
    return attribute == (void *)&_dispatch_queue_attr_concurrent || note(concurrent, attribute, 0);
}

static object inherit(object made, object from) {
    if (from && is_concurrent(from)) note(concurrent, made, 1);
    if (from && note(inactive, from, 0)) note(inactive, made, 1);
    return made;
}

INTERPOSED object dispatch_queue_attr_make_with_qos_class(object from, int qos, int priority) {
    REAL(object, dispatch_queue_attr_make_with_qos_class, (object, int, int));
    return inherit(real(from, qos, priority), from);
}

INTERPOSED object dispatch_queue_attr_make_with_autorelease_frequency(object from, int frequency) {
    REAL(object, dispatch_queue_attr_make_with_autorelease_frequency, (object, int));
    return inherit(real(from, frequency), from);
}

INTERPOSED object dispatch_queue_attr_make_with_overcommit(object from, int overcommits) {
    REAL(object, dispatch_queue_attr_make_with_overcommit, (object, int));
    return inherit(real(from, overcommits), from);
}

INTERPOSED object dispatch_queue_attr_make_initially_inactive(object from) {
    REAL(object, dispatch_queue_attr_make_initially_inactive, (object));
    object made = inherit(real(from), from);
    note(inactive, made, 1);
    return made;
}

static object noted(object queue, object attribute, object target) {
    // Libdispatch keeps the target for itself, in a way that takes no further reference from
    // outside once the last of those is gone.
    if (target) dispatch_retain(target);
    squall_known_note((struct object){
        .address = queue, .kind = object_queue, .target = target,
        .is_concurrent = attribute && is_concurrent(attribute),
        .is_inactive = attribute && note(inactive, attribute, 0)});
    return queue;
}

INTERPOSED object dispatch_queue_create(const char *label, object attribute) {
    REAL(object, dispatch_queue_create, (const char *, object));
    return noted(real(label, attribute), attribute, 0);
}

INTERPOSED object dispatch_queue_create_with_target(
    const char *label, object attribute, object target) {
    REAL(object, dispatch_queue_create_with_target, (const char *, object, object));
    return noted(real(label, attribute, target), attribute, target);
}

/// 1 for one of Dispatch's own queues, which the process shares.
static int is_global(object queue) {
    static _Atomic(object) roots[12];
    static const int classes[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0x05};
    for (int index = 0; index < 12; index++) {
        object root = atomic_load(&roots[index]);
        if (!root) {
            root = dispatch_get_global_queue(classes[index / 2], index % 2 * 2);
            atomic_store(&roots[index], root);
        }
        if (root == queue) return 1;
    }
    return 0;
}

object squall_main_queue(void) { return &_dispatch_main_q; }
object squall_default_queue(void) { return dispatch_get_global_queue(0x15, 0); }

struct squall_queue squall_queue_describe(object queue) {
    const char *label = dispatch_queue_get_label(queue);
    struct squall_queue facts = {
        .label = label ? label : "", .is_main = queue == squall_main_queue()};
    struct object known;
    if (squall_known_find(queue, &known)) {
        facts.is_concurrent = known.is_concurrent;
        facts.is_inactive = known.is_inactive;
        facts.target = known.target;
    } else {
        facts.is_global = is_global(queue);
        facts.is_concurrent = facts.is_global;
    }
    return facts;
}

void *squall_queue_specific(object queue, const void *key) {
    return dispatch_queue_get_specific(queue, key);
}

void squall_object_retain(object object) { dispatch_retain(object); }
void squall_object_release(object object) { dispatch_release(object); }

int squall_dispatch_is_interposed(void) {
    Dl_info here, there;
    void *function = dlsym(RTLD_DEFAULT, "dispatch_async");
    return function && dladdr(function, &there) && dladdr(&squall_queue_describe, &here)
        && here.dli_fbase == there.dli_fbase && dlsym(RTLD_NEXT, "dispatch_async");
}
