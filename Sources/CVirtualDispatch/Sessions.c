#include "Interposed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Foundation's sessions: each that the process makes is told of the worlds, whatever configuration
// it has, and those that a world's code makes open nothing of the system's.

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void swift_release(void *object) __attribute__((weak));
extern void *squall_configuration_for(void *configuration) __attribute__((weak));
extern void *squall_shared_session(void) __attribute__((weak));

/// The configuration that a session is to have in place of one, which is the caller's no more.
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
        static SWIFT void *(*real)(void *, void *, void *, void *, SELF void *);                   \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, symbol);                                     \
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

// One session for all would be met by worlds on several threads.
#define SHARED SESSION "6sharedACvgZ"
SWIFT INTERPOSED void *squall_get_shared_session(SELF void *) __asm__(SHARED);
SWIFT void *squall_get_shared_session(SELF void *self) {
    void *own = WORLD && squall_shared_session ? squall_shared_session() : 0;
    if (own) return own;
    static SWIFT void *(*real)(SELF void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, SHARED);
    return real(self);
}

// What the process keeps in its settings is one person's where a world has many.
#define DEFAULTS "$s10Foundation12UserDefaultsC8standardACvgZ"
extern void *squall_user_defaults(void) __attribute__((weak));
SWIFT INTERPOSED void *squall_get_user_defaults(SELF void *) __asm__(DEFAULTS);
SWIFT void *squall_get_user_defaults(SELF void *self) {
    void *own = WORLD && squall_user_defaults ? squall_user_defaults() : 0;
    if (own) return own;
    static SWIFT void *(*real)(SELF void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, DEFAULTS);
    return real(self);
}
