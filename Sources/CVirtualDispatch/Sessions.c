#include "Interposed.h"

#include <malloc.h>

// Foundation's sessions: each one that the process makes knows of the worlds, whatever its
// configuration, and those of a world's code open nothing of the system's.

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void swift_release(void *object) __attribute__((weak));
extern void *squall_configuration_for(void *configuration) __attribute__((weak));

/// The configuration that a session gets in place of one, which no longer belongs to the caller.
static void *prepared(void *configuration) {
    if (!squall_configuration_for || !configuration) return configuration;
    void *own = squall_configuration_for(configuration);
    swift_release(configuration);
    return own;
}

/// An initialiser of `URLSession` by its symbol: with a configuration, and with a delegate, which
/// is two words, and its queue. Code calls the one that allocates, optimised code the other.
#define MAKES_SESSION(name, symbol)                                                                \
    SWIFT INTERPOSED void *name(void *, void *, void *, void *, SELF void *) __asm__(symbol);      \
    SWIFT void *name(                                                                              \
        void *configuration, void *delegate, void *witness, void *queue, SELF void *self) {        \
        static void *found;                                                                        \
        SWIFT void *(*real)(void *, void *, void *, void *, SELF void *);                          \
        *(void **)&real = squall_next(&found, symbol);                                             \
        return real(prepared(configuration), delegate, witness, queue, self);                      \
    }

#define SESSION "$s20FoundationNetworking10URLSessionC"
#define WITH_CONFIGURATION SESSION "13configurationAcA0C13ConfigurationC_tcf"
#define WITH_DELEGATE                                                                              \
    SESSION "13configuration8delegate0E5QueueAcA0C13ConfigurationC_AA0C8Delegate_pSg0A009Operation" \
            "F0CSgtcf"

MAKES_SESSION(squall_make_session, WITH_CONFIGURATION "C")
MAKES_SESSION(squall_make_session_in_place, WITH_CONFIGURATION "c")
MAKES_SESSION(squall_make_session_of, WITH_DELEGATE "C")
MAKES_SESSION(squall_make_session_of_in_place, WITH_DELEGATE "c")

/// An object that a process has once, by the symbol of the property that has it; the code of a world
/// gets what the world has in its place.
#define OWN_OF_WORLD(name, symbol, own_of_world)                                                   \
    extern void *own_of_world(void) __attribute__((weak));                                         \
    SWIFT INTERPOSED void *name(SELF void *) __asm__(symbol);                                      \
    SWIFT void *name(SELF void *self) {                                                            \
        void *own = WORLD && own_of_world ? own_of_world() : 0;                                    \
        if (own) return own;                                                                       \
        static void *found;                                                                        \
        SWIFT void *(*real)(SELF void *);                                                          \
        *(void **)&real = squall_next(&found, symbol);                                             \
        return real(self);                                                                         \
    }

// A single shared session would be used by worlds on several threads, and its cookies would be
// known in the next world. An operation that has not ended when its world does would keep the main
// queue of operations from every later world. Settings belong to one user where a world has many.
#define COOKIES "$s20FoundationNetworking17HTTPCookieStorageC6sharedACvgZ"
#define OPERATIONS "$s10Foundation14OperationQueueC4mainACvgZ"
#define DEFAULTS "$s10Foundation12UserDefaultsC8standardACvgZ"
OWN_OF_WORLD(squall_get_shared_session, SESSION "6sharedACvgZ", squall_shared_session)
OWN_OF_WORLD(squall_get_shared_cookies, COOKIES, squall_shared_cookies)
OWN_OF_WORLD(squall_get_main_operations, OPERATIONS, squall_main_operations)
OWN_OF_WORLD(squall_get_user_defaults, DEFAULTS, squall_user_defaults)

// An ephemeral configuration comes with a cache, which looks for its folder as it is made: nine
// hundred thousand instructions, most of them for copies of the environment, and a folder on the
// disk. In a world it is told that there is none, and keeps what it is given in memory.
#define EPHEMERAL "$s20FoundationNetworking23URLSessionConfigurationC9ephemeralACvgZ"
static __thread int has_no_folder;
SWIFT INTERPOSED void *squall_get_ephemeral(SELF void *self) __asm__(EPHEMERAL);
SWIFT void *squall_get_ephemeral(SELF void *self) {
    static void *found;
    SWIFT void *(*real)(SELF void *);
    *(void **)&real = squall_next(&found, EPHEMERAL);
    has_no_folder = WORLD != 0;
    void *made = real(self);
    has_no_folder = 0;
    return made;
}

// Everything that a function of Swift can be given and give back in registers of whole numbers:
// how a URL is handed over is Foundation's to say.
#define FOLDER                                                                                     \
    "$s20FoundationEssentials11FileManagerC0A0E3url3for2in14appropriateFor6createAA3URLVAC19Searc" \
    "hPathDirectoryO_AC0lM10DomainMaskVAKSgSbtKF"
#define GIVEN                                                                                      \
    __attribute__((swift_indirect_result)) void *result, void *a, void *b, void *c, void *d,       \
        void *e, void *f, SELF void *self, __attribute__((swift_error_result)) void **error
struct answer {
    void *words[4];
};
extern void *squall_no_folder(void) __attribute__((weak));
SWIFT INTERPOSED struct answer squall_find_folder(GIVEN) __asm__(FOLDER);
SWIFT struct answer squall_find_folder(GIVEN) {
    if (has_no_folder && squall_no_folder) {
        *error = squall_no_folder();
        return (struct answer){{0}};
    }
    static void *found;
    SWIFT struct answer (*real)(GIVEN);
    *(void **)&real = squall_next(&found, FOLDER);
    return real(result, a, b, c, d, e, f, self, error);
}

ptrdiff_t squall_place_of_word(const void *object, const void *word) {
    const void *const *words = object;
    ptrdiff_t count = malloc_usable_size((void *)object) / sizeof *words;
    // The first two are the object's class and its references.
    for (ptrdiff_t place = 2; place < count; place++) {
        if (words[place] == word) return place * sizeof *words;
    }
    return 0;
}
