#include "Interposed.h"
#include "ObjectTable.h"

#include <stdarg.h>
#include <stdlib.h>

// libcurl, with which Foundation's sessions load what no class of the code's own takes. A session
// opens its files, two descriptors, as it is made. What a world's code makes opens none until it is
// used in real life; used in a world it would reach the real network, and is named instead.

enum { optionsMax = 16, internal_error = 4, effective_url = 0x100000 + 1 };

/// A handle that is real from its first use in real life on, and what it was told before.
struct multi {
    void *real;
    int count;
    struct {
        int name;
        void *value;
    } options[optionsMax];
};

static int is_ours(void *handle) {
    struct object known;
    return handle && squall_known_find(handle, &known) && known.kind == object_multi;
}

INTERPOSED void *curl_multi_init(void) {
    REAL(void *, curl_multi_init, (void));
    if (!WORLD) return real ? real() : 0;
    struct multi *multi = calloc(1, sizeof *multi);
    if (!multi) abort();
    squall_known_note((struct object){.address = multi, .kind = object_multi});
    return multi;
}

typedef int (*setter)(void *, int, ...);

static int set(void *handle, int name, void *value) {
    static setter real;
    if (!real) real = (setter)dlsym(RTLD_NEXT, "curl_multi_setopt");
    return real(handle, name, value);
}

/// The handle as libcurl knows it.
static void *real_handle(void *handle) {
    if (!is_ours(handle)) return handle;
    struct multi *multi = handle;
    if (multi->real) return multi->real;
    REAL(void *, curl_multi_init, (void));
    multi->real = real();
    for (int index = 0; index < multi->count; index++) {
        set(multi->real, multi->options[index].name, multi->options[index].value);
    }
    return multi->real;
}

INTERPOSED int curl_multi_setopt(void *handle, int name, ...) {
    va_list list;
    va_start(list, name);
    void *value = va_arg(list, void *);
    va_end(list);
    struct multi *multi = handle;
    if (!is_ours(handle) || multi->real) return set(real_handle(handle), name, value);
    if (multi->count == optionsMax) return internal_error;
    multi->options[multi->count].name = name;
    multi->options[multi->count++].value = value;
    return 0;
}

INTERPOSED int curl_multi_cleanup(void *handle) {
    REAL(int, curl_multi_cleanup, (void *));
    if (!is_ours(handle)) return real(handle);
    struct multi *multi = handle;
    struct object known;
    int result = multi->real ? real(multi->real) : 0;
    squall_known_release(handle, &known);
    free(multi);
    return result;
}

/// Says where a load would go that reaches libcurl in a world; it never comes to an end there.
static int is_refused(void *easy) {
    if (!WORLD) return 0;
    int (*ask)(void *, int, ...) = (int (*)(void *, int, ...))dlsym(RTLD_NEXT, "curl_easy_getinfo");
    const char *address = 0;
    if (ask) ask(easy, effective_url, &address);
    squall_hooks->escape(WORLD, "libcurl", address ? address : "a transfer");
    return 1;
}

INTERPOSED int curl_multi_add_handle(void *handle, void *easy) {
    if (is_refused(easy)) return 0;
    REAL(int, curl_multi_add_handle, (void *, void *));
    return real(real_handle(handle), easy);
}

INTERPOSED int curl_multi_remove_handle(void *handle, void *easy) {
    if (WORLD) return 0;
    REAL(int, curl_multi_remove_handle, (void *, void *));
    return real(real_handle(handle), easy);
}

INTERPOSED int curl_easy_perform(void *easy) {
    enum { could_not_connect = 7 };
    if (is_refused(easy)) return could_not_connect;
    REAL(int, curl_easy_perform, (void *));
    return real(easy);
}

INTERPOSED int curl_multi_socket_action(void *handle, int socket, int events, int *running) {
    if (running) *running = 0;
    if (WORLD) return 0;
    REAL(int, curl_multi_socket_action, (void *, int, int, int *));
    return real(real_handle(handle), socket, events, running);
}

INTERPOSED int curl_multi_assign(void *handle, int socket, void *place) {
    REAL(int, curl_multi_assign, (void *, int, void *));
    return real(real_handle(handle), socket, place);
}

INTERPOSED void *curl_multi_info_read(void *handle, int *left) {
    if (left) *left = 0;
    if (WORLD) return 0;
    REAL(void *, curl_multi_info_read, (void *, int *));
    return real(real_handle(handle), left);
}
