#include "Interposed.h"

#include <sys/socket.h>

// libcurl, with which Foundation's sessions load requests that no protocol class of the code takes.
// In a world it would reach the real network, so its use is reported as an escape.

enum { effective_url = 0x100000 + 1 };

/// A session opens two descriptors of libcurl's when it is made and keeps them as long as it lives:
/// for ever when its app was killed or waits without end. libcurl can do without them, and in a
/// world they receive nothing.
INTERPOSED int socketpair(int domain, int type, int protocol, int pair[2]) {
    if (WORLD) {
        errno = EMFILE;
        return -1;
    }
    REAL(int, socketpair, (int, int, int, int *));
    return real(domain, type, protocol, pair);
}

/// Reports the address of a load that reaches libcurl in a world; it does not end there.
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
