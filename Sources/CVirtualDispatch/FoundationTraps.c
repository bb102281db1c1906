#include "Interposed.h"

// Methods of Foundation that end the process on Linux where a phone returns. A client calls them
// because of what a world tells it: that a body was sent, how long a refusal is. And those that
// make a web socket, which a world cannot have.
//
// Foundation calls its own methods by a table in each class's metadata, which has the address of
// the library's own definition; classes that inherit them elsewhere have the symbol. Both are
// replaced.

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/// The beginning of a Swift class's metadata, from the address that the class is known by.
struct class_metadata {
    void *kind, *superclass;
    unsigned flags, instance_address, instance_bytes;
    unsigned short alignment, reserved;
    unsigned bytes, address;
};

/// Replaces a method in the table of the class whose metadata has that symbol.
static void replace(const char *metadata, const char *method, void *replacement) {
    struct class_metadata *kind = dlsym(RTLD_DEFAULT, metadata);
    void *own = dlsym(RTLD_NEXT, method);
    if (!kind || !own || kind->address >= kind->bytes) return;
    void **words = (void **)kind;
    size_t count = (kind->bytes - kind->address) / sizeof *words;
    for (size_t place = sizeof *kind / sizeof *words; place < count; place++) {
        if (words[place] == own) words[place] = replacement;
    }
}

// A total that was positive cannot be set to 0 at once, which a client does that sends again: the
// way there by "not known" has the same end.

#define PROGRESS "$s10Foundation8ProgressC"
#define SET_TOTAL PROGRESS "14totalUnitCounts5Int64Vvs"
SWIFT INTERPOSED void squall_set_total(long long, SELF void *) __asm__(SET_TOTAL);
SWIFT void squall_set_total(long long total, SELF void *progress) {
    static void *found;
    SWIFT void (*real)(long long, SELF void *) = squall_next(&found, SET_TOTAL);
    if (total == 0) real(-1, progress);
    real(total, progress);
}

// A stream without an error cannot be asked for one.

extern int squall_stream_has_failed(void *stream) __attribute__((weak));

#define STREAM_ERROR(name, symbol)                                                                 \
    SWIFT INTERPOSED void *name(SELF void *) __asm__(symbol);                                      \
    SWIFT void *name(SELF void *stream) {                                                          \
        if (squall_stream_has_failed && !squall_stream_has_failed(stream)) return 0;               \
        static void *found;                                                                        \
        SWIFT void *(*real)(SELF void *) = squall_next(&found, symbol);                            \
        return real(stream);                                                                       \
    }

#define INPUT "$s10Foundation11InputStreamC"
#define OUTPUT "$s10Foundation12OutputStreamC"
#define ERROR "11streamErrors0E0_pSgvg"
STREAM_ERROR(squall_input_error, INPUT ERROR)
STREAM_ERROR(squall_output_error, OUTPUT ERROR)

// A web socket is named before Foundation says that its libcurl has none.

#define WEB_SOCKET(name, symbol)                                                                   \
    SWIFT INTERPOSED void *name(void *, void *, void *, void *, SELF void *) __asm__(symbol);      \
    SWIFT void *name(void *a, void *b, void *c, void *d, SELF void *session) {                     \
        if (WORLD) squall_hooks->escape(WORLD, "a web socket to", "URLSession.webSocketTask");     \
        static void *found;                                                                        \
        SWIFT void *(*real)(void *, void *, void *, void *, SELF void *) =                         \
            squall_next(&found, symbol);                                                           \
        return real(a, b, c, d, session);                                                          \
    }

#define SESSION "$s20FoundationNetworking10URLSessionC"
#define WITH_ADDRESS SESSION "13webSocketTask4withAA0c3WebeF0C0A10Essentials3URLV_tF"
#define WITH_PROTOCOLS                                                                             \
    SESSION "13webSocketTask4with9protocolsAA0c3WebeF0C0A10Essentials3URLV_SaySSGtF"
#define WITH_REQUEST SESSION "13webSocketTask4withAA0c3WebeF0CAA10URLRequestV_tF"
WEB_SOCKET(squall_web_socket, WITH_ADDRESS)
WEB_SOCKET(squall_web_socket_of, WITH_PROTOCOLS)
WEB_SOCKET(squall_web_socket_by, WITH_REQUEST)

void squall_avoid_foundation_traps(void) {
    replace(SESSION "N", WITH_ADDRESS, (void *)squall_web_socket);
    replace(SESSION "N", WITH_PROTOCOLS, (void *)squall_web_socket_of);
    replace(SESSION "N", WITH_REQUEST, (void *)squall_web_socket_by);
    replace(PROGRESS "N", SET_TOTAL, (void *)squall_set_total);
    replace(INPUT "N", INPUT ERROR, (void *)squall_input_error);
    replace(OUTPUT "N", OUTPUT ERROR, (void *)squall_output_error);
}
