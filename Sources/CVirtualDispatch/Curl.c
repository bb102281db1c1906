#include "Interposed.h"

#include <sys/socket.h>

// libcurl, with which Foundation's sessions load what no class of the code's own takes. Used by
// itself in a world it would reach the real network, and is named instead.

enum { effective_url = 0x100000 + 1 };

/// A session opens two descriptors of libcurl's as it is made and keeps them as long as it lives:
/// for ever where its app was killed or waits for what never comes. libcurl does without them, and
/// in a world nothing comes to it.
INTERPOSED int socketpair(int domain, int type, int protocol, int pair[2]) {
    if (WORLD) {
        errno = EMFILE;
        return -1;
    }
    REAL(int, socketpair, (int, int, int, int *));
    return real(domain, type, protocol, pair);
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
    return real(handle, easy);
}

INTERPOSED int curl_easy_perform(void *easy) {
    enum { could_not_connect = 7 };
    if (is_refused(easy)) return could_not_connect;
    REAL(int, curl_easy_perform, (void *));
    return real(easy);
}
