#define _GNU_SOURCE
#include "CSockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#ifndef SQUALL_TLS_IN_FILE
#include <dlfcn.h>
#endif
#include <unistd.h>

// OpenSSL 1.1 and 3, found when the first https address is used: a tool that needs no TLS starts
// without it, and building it needs no headers of it. The numbers are those of its stable interface.
// A static executable cannot load a library; `.ci/release` links OpenSSL into it and says so here.
enum {
    mode_of_writes = 0x1 | 0x2,  // SSL_MODE_ENABLE_PARTIAL_WRITE, _ACCEPT_MOVING_WRITE_BUFFER
    mode_releases_buffers = 0x10,
    ctrl_mode = 33,
    ctrl_host_name = 55,
    ctrl_least_version = 123,
    version_1_2 = 0x0303,
    verify_peer = 1,
    partial_chain = 0x80000,
    host_rules = 0x4 | 0x20,  // no partial wildcards, and no subject in place of subjectAltName
    other_host = 62,
    error_wants_read = 2,
    error_wants_write = 3,
    error_closed = 6,
    bio_read_again = 0x01 | 0x08,
    bio_write_again = 0x02 | 0x08,
    bio_again = 0x0f,
    bio_flush = 11,
    bio_own_kind = 0x0400 | 100,
};

// Every function that is used: result, name, parameters.
#define FUNCTIONS(F)                                                                              \
    F(void *, TLS_client_method, (void))                                                          \
    F(void *, SSL_CTX_new, (void *))                                                              \
    F(void, SSL_CTX_free, (void *))                                                               \
    F(long, SSL_CTX_ctrl, (void *, int, long, void *))                                            \
    F(void, SSL_CTX_set_verify, (void *, int, void *))                                            \
    F(int, SSL_CTX_set_default_verify_paths, (void *))                                            \
    F(int, SSL_CTX_load_verify_locations, (void *, const char *, const char *))                   \
    F(void *, SSL_CTX_get0_param, (void *))                                                       \
    F(int, SSL_CTX_set_alpn_protos, (void *, const unsigned char *, unsigned int))                \
    F(void *, SSL_new, (void *))                                                                  \
    F(void, SSL_free, (void *))                                                                   \
    F(long, SSL_ctrl, (void *, int, long, void *))                                                \
    F(int, SSL_set1_host, (void *, const char *))                                                 \
    F(void *, SSL_get0_param, (void *))                                                           \
    F(void, SSL_set_bio, (void *, void *, void *))                                                \
    F(int, SSL_connect, (void *))                                                                 \
    F(int, SSL_read, (void *, void *, int))                                                       \
    F(int, SSL_write, (void *, const void *, int))                                                \
    F(int, SSL_shutdown, (void *))                                                                \
    F(int, SSL_get_error, (void *, int))                                                          \
    F(long, SSL_get_verify_result, (void *))                                                      \
    F(int, X509_VERIFY_PARAM_set_flags, (void *, unsigned long))                                  \
    F(void, X509_VERIFY_PARAM_set_hostflags, (void *, unsigned int))                              \
    F(int, X509_VERIFY_PARAM_set1_ip_asc, (void *, const char *))                                 \
    F(const char *, X509_verify_cert_error_string, (long))                                        \
    F(const char *, OpenSSL_version, (int))                                                       \
    F(unsigned long, ERR_get_error, (void))                                                       \
    F(void, ERR_clear_error, (void))                                                              \
    F(const char *, ERR_reason_error_string, (unsigned long))                                     \
    F(void *, BIO_meth_new, (int, const char *))                                                  \
    F(void, BIO_meth_free, (void *))                                                              \
    F(int, BIO_meth_set_write, (void *, int (*)(void *, const char *, int)))                      \
    F(int, BIO_meth_set_read, (void *, int (*)(void *, char *, int)))                             \
    F(int, BIO_meth_set_ctrl, (void *, long (*)(void *, int, long, void *)))                      \
    F(void *, BIO_new, (void *))                                                                  \
    F(void, BIO_set_data, (void *, void *))                                                       \
    F(void *, BIO_get_data, (void *))                                                             \
    F(void, BIO_set_init, (void *, int))                                                          \
    F(void, BIO_set_flags, (void *, int))                                                         \
    F(void, BIO_clear_flags, (void *, int))

#define MEMBER(result, name, parameters) result(*name) parameters;
#ifdef SQUALL_TLS_IN_FILE
#define DECLARATION(result, name, parameters) extern result name parameters;
#define ADDRESS(result, name, parameters) name,
FUNCTIONS(DECLARATION)
static const struct { FUNCTIONS(MEMBER) } ssl = {FUNCTIONS(ADDRESS)};
#else
static struct { FUNCTIONS(MEMBER) } ssl;
#endif

struct squall_tls_context {
    void *context;
    void *sockets;
};

struct squall_tls {
    void *connection;
    int file;
    // What the system said last, and whether the peer has ended the connection beneath.
    int problem;
    int has_ended;
    int is_open;
    const char *text;
};

#ifdef SQUALL_TLS_IN_FILE
static const char *found_library(void) { return 0; }

// Where Linux distributions keep the certificates of authorities, which this OpenSSL, built for one
// of them, does not know: Debian, Fedora, openSUSE, RHEL, Alpine.
static const char *const bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
};

static const char *trust_system(void *context) {
    if (getenv("SSL_CERT_FILE") || getenv("SSL_CERT_DIR")) {
        ssl.SSL_CTX_set_default_verify_paths(context);
        return 0;
    }
    for (size_t index = 0; index < sizeof bundles / sizeof *bundles; index++)
        if (access(bundles[index], R_OK) == 0 &&
            ssl.SSL_CTX_load_verify_locations(context, bundles[index], 0) == 1)
            return 0;
    return "this system has no certificates of authorities (package ca-certificates)";
}
#else
static const char *found_library(void) {
    static void *library;
    if (library) return 0;
    void *opened = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!opened) opened = dlopen("libssl.so.1.1", RTLD_NOW | RTLD_LOCAL);
    if (!opened) return "OpenSSL (libssl.so.3) is not installed on this system";
#define FIND(result, name, parameters)                                                            \
    if (!(ssl.name = (result(*) parameters)dlsym(opened, #name)))                                 \
        return "the system's OpenSSL lacks the function " #name;
    FUNCTIONS(FIND)
    library = opened;
    return 0;
}

static const char *trust_system(void *context) {
    ssl.SSL_CTX_set_default_verify_paths(context);
    return 0;
}
#endif

static int wrote(void *bio, const char *bytes, int size) {
    struct squall_tls *tls = ssl.BIO_get_data(bio);
    ssl.BIO_clear_flags(bio, bio_again);
    long count = squall_send(tls->file, bytes, size);
    if (count >= 0) return (int)count;
    if (squall_would_block(count)) ssl.BIO_set_flags(bio, bio_write_again);
    else tls->problem = (int)-count;
    return -1;
}

static int has_read(void *bio, char *buffer, int size) {
    struct squall_tls *tls = ssl.BIO_get_data(bio);
    ssl.BIO_clear_flags(bio, bio_again);
    long count = squall_receive(tls->file, buffer, size);
    if (count > 0) return (int)count;
    if (squall_would_block(count)) ssl.BIO_set_flags(bio, bio_read_again);
    else if (count == 0) tls->has_ended = 1;
    else tls->problem = (int)-count;
    return count == 0 ? 0 : -1;
}

static long controlled(void *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == bio_flush;
}

static const char *prepare(struct squall_tls_context *made, const char *authorities) {
    made->context = ssl.SSL_CTX_new(ssl.TLS_client_method());
    made->sockets = ssl.BIO_meth_new(bio_own_kind, "squall");
    if (!made->context || !made->sockets) return "OpenSSL cannot be used";
    ssl.BIO_meth_set_write(made->sockets, wrote);
    ssl.BIO_meth_set_read(made->sockets, has_read);
    ssl.BIO_meth_set_ctrl(made->sockets, controlled);
    ssl.SSL_CTX_ctrl(made->context, ctrl_mode, mode_of_writes | mode_releases_buffers, 0);
    ssl.SSL_CTX_ctrl(made->context, ctrl_least_version, version_1_2, 0);
    ssl.SSL_CTX_set_alpn_protos(made->context, (const unsigned char *)"\x08http/1.1", 9);
    ssl.SSL_CTX_set_verify(made->context, verify_peer, 0);
    // A certificate that is trusted itself need not lead to one that signed itself.
    ssl.X509_VERIFY_PARAM_set_flags(ssl.SSL_CTX_get0_param(made->context), partial_chain);
    if (!authorities) return trust_system(made->context);
    if (ssl.SSL_CTX_load_verify_locations(made->context, authorities, 0) == 1) return 0;
    return "no certificate in PEM form can be read";
}

struct squall_tls_context *squall_tls_context_create(
    const char *authorities, const char **problem) {
    if ((*problem = found_library())) return 0;
    struct squall_tls_context *made = calloc(1, sizeof *made);
    if (!made) return 0;
    *problem = prepare(made, authorities);
    ssl.ERR_clear_error();
    if (!*problem) return made;
    squall_tls_context_free(made);
    return 0;
}

const char *squall_tls_version(int may_load) {
#ifndef SQUALL_TLS_IN_FILE
    if (!may_load && !ssl.OpenSSL_version) return 0;
#endif
    (void)may_load;
    return found_library() ? 0 : ssl.OpenSSL_version(0);
}

void squall_tls_context_free(struct squall_tls_context *context) {
    if (context->context) ssl.SSL_CTX_free(context->context);
    if (context->sockets) ssl.BIO_meth_free(context->sockets);
    free(context);
}

static void name_peer(void *connection, const char *host) {
    unsigned char numeric[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, host, numeric) == 1 || inet_pton(AF_INET6, host, numeric) == 1) {
        ssl.X509_VERIFY_PARAM_set1_ip_asc(ssl.SSL_get0_param(connection), host);
    } else {
        ssl.SSL_ctrl(connection, ctrl_host_name, 0, (void *)host);
        // RFC 9525 §6.3.
        ssl.X509_VERIFY_PARAM_set_hostflags(ssl.SSL_get0_param(connection), host_rules);
        ssl.SSL_set1_host(connection, host);
    }
}

struct squall_tls *squall_tls_create(
    struct squall_tls_context *context, int file, const char *host) {
    struct squall_tls *tls = calloc(1, sizeof *tls);
    if (!tls) return 0;
    tls->file = file;
    tls->connection = ssl.SSL_new(context->context);
    void *bio = tls->connection ? ssl.BIO_new(context->sockets) : 0;
    if (!bio) {
        if (tls->connection) ssl.SSL_free(tls->connection);
        free(tls);
        return 0;
    }
    ssl.BIO_set_data(bio, tls);
    ssl.BIO_set_init(bio, 1);
    ssl.SSL_set_bio(tls->connection, bio, bio);
    name_peer(tls->connection, host);
    return tls;
}

void squall_tls_free(struct squall_tls *tls) {
    ssl.ERR_clear_error();
    if (tls->is_open) ssl.SSL_shutdown(tls->connection);
    ssl.SSL_free(tls->connection);
    ssl.ERR_clear_error();
    free(tls);
}

static void note_problem(struct squall_tls *tls) {
    long verified = ssl.SSL_get_verify_result(tls->connection);
    unsigned long number = ssl.ERR_get_error();
    if (verified == other_host) tls->text = "its subjectAltName has another host";
    else if (verified) tls->text = ssl.X509_verify_cert_error_string(verified);
    else if (tls->problem) tls->text = strerror(tls->problem);
    else if (tls->has_ended) tls->text = "the server ended the connection";
    else tls->text = number ? ssl.ERR_reason_error_string(number) : 0;
    if (!tls->text) tls->text = "the server does not speak TLS";
}

int squall_tls_connect(struct squall_tls *tls) {
    ssl.ERR_clear_error();
    int result = ssl.SSL_connect(tls->connection);
    if (result == 1) {
        tls->is_open = 1;
        return 0;
    }
    int reason = ssl.SSL_get_error(tls->connection, result);
    if (reason == error_wants_read) return squall_readable;
    if (reason == error_wants_write) return squall_writable;
    note_problem(tls);
    return ssl.SSL_get_verify_result(tls->connection) ? -EACCES : -EPROTO;
}

const char *squall_tls_problem(const struct squall_tls *tls) { return tls->text; }

static long moved(struct squall_tls *tls, int count) {
    if (count > 0) return count;
    int reason = ssl.SSL_get_error(tls->connection, count);
    if (reason == error_wants_read || reason == error_wants_write) return -EAGAIN;
    if (reason == error_closed) return 0;
    tls->is_open = 0;
    // An end without TLS's own could be anybody's.
    return tls->problem ? -tls->problem : tls->has_ended ? -ECONNRESET : -EPROTO;
}

static int bounded(unsigned long size) { return size > 1 << 30 ? 1 << 30 : (int)size; }

long squall_tls_receive(struct squall_tls *tls, void *buffer, unsigned long size) {
    ssl.ERR_clear_error();
    return moved(tls, ssl.SSL_read(tls->connection, buffer, bounded(size)));
}

long squall_tls_send(struct squall_tls *tls, const void *bytes, unsigned long size) {
    ssl.ERR_clear_error();
    long count = moved(tls, ssl.SSL_write(tls->connection, bytes, bounded(size)));
    return count == 0 ? -EPIPE : count;
}

#else

const char *squall_tls_version(int may_load) {
    (void)may_load;
    return 0;
}

struct squall_tls_context *squall_tls_context_create(
    const char *authorities, const char **problem) {
    (void)authorities;
    *problem = "https is spoken on Linux only";
    return 0;
}

void squall_tls_context_free(struct squall_tls_context *context) { (void)context; }

struct squall_tls *squall_tls_create(
    struct squall_tls_context *context, int file, const char *host) {
    (void)context, (void)file, (void)host;
    return 0;
}

void squall_tls_free(struct squall_tls *tls) { (void)tls; }

int squall_tls_connect(struct squall_tls *tls) {
    (void)tls;
    return -EPROTO;
}

const char *squall_tls_problem(const struct squall_tls *tls) {
    (void)tls;
    return "";
}

long squall_tls_receive(struct squall_tls *tls, void *buffer, unsigned long size) {
    (void)tls, (void)buffer, (void)size;
    return -EPROTO;
}

long squall_tls_send(struct squall_tls *tls, const void *bytes, unsigned long size) {
    (void)tls, (void)bytes, (void)size;
    return -EPROTO;
}
#endif

int squall_tls_untrusted(int result) { return result == -EACCES; }
