#pragma once

// Non-blocking sockets, and waiting for many of them: what Swift's module of the C library does not
// show, or shows differently on each system. Everything returns -errno where it fails.

/// A set of watched files. Level-triggered: what is not read is told again.
struct squall_watch;

/// What a file is ready for.
enum { squall_readable = 1, squall_writable = 4, squall_broken = 8 };

/// A file that is ready, and for what.
struct squall_ready {
    int file;
    unsigned int events;
};

struct squall_watch *squall_watch_create(void);
void squall_watch_free(struct squall_watch *watch);

/// Watches a file for these events, in place of what it was watched for; breaking is always told.
int squall_watch_set(struct squall_watch *watch, int file, unsigned int events, int is_new);

/// Must be called before a watched file is closed.
void squall_watch_remove(struct squall_watch *watch, int file);

/// Waits, at most so long; returns how many files are ready, 0 also after a signal.
int squall_watch_wait(
    struct squall_watch *watch, long long nanoseconds, struct squall_ready *ready, int count);

/// A socket that listens on a numeric address (IPv4 or IPv6; :: for IPv6 alone) and a port, 0 for a
/// free one; the port is told.
int squall_listen(const char *address, unsigned short port, unsigned short *bound);

/// The next connection of a listener.
int squall_accept(int listener);

/// Where a connection can lead: an address of the system's, whatever its family.
struct squall_address {
    unsigned char bytes[28];
    unsigned int size;
};

/// Finds the addresses of a host; returns how many, or a negative number that
/// squall_resolve_problem explains. Waits for the system's answer.
int squall_resolve(
    const char *host, unsigned short port, struct squall_address *addresses, int count);
const char *squall_resolve_problem(int result);

/// Begins to connect; the socket is writable when that has ended in one way or another.
int squall_connect(const struct squall_address *address);

/// How connecting has ended: 0 when it is connected, -EINPROGRESS before that.
int squall_connected(int file);

/// 1 for the result of a call that has only begun to connect.
int squall_in_progress(long result);

/// What the system calls a problem.
const char *squall_problem_text(int number);

/// How many bytes were read; 0 at the end of input, -EAGAIN when there are none yet.
long squall_receive(int file, void *buffer, unsigned long size);

/// How many bytes were taken; -EAGAIN when there is no room. A peer that is gone is no signal.
long squall_send(int file, const void *bytes, unsigned long size);

/// Nothing more will be sent.
void squall_end_output(int file);

/// Closes; where `is_reset`, the peer gets an error instead of an end.
void squall_close(int file, int is_reset);

/// 1 for the result of a call that would have had to wait.
int squall_would_block(long result);

/// 1 for the result of a call that could open no more files.
int squall_out_of_files(long result);

/// Lets the process open as many files as the system allows it; returns how many.
long squall_raise_file_limit(void);

/// Lets this thread's timers be no later than asked, where the system can be asked for that.
void squall_exact_timers(void);

/// TLS of a client's connections, by the system's OpenSSL, which is loaded when it is first asked for.
struct squall_tls_context;
struct squall_tls;

// The version of OpenSSL that is used, or would be; 0 where there is none, or none is loaded yet and
// none may be.
const char *squall_tls_version(int may_load);

/// Trusts the certificates of a file (PEM), or those the system trusts; null with the problem.
struct squall_tls_context *squall_tls_context_create(
    const char *authorities, const char **problem);
void squall_tls_context_free(struct squall_tls_context *context);

/// TLS on a connected socket, to a host by that name or numeric address; null without memory.
struct squall_tls *squall_tls_create(
    struct squall_tls_context *context, int file, const char *host);

/// Ends it, before the socket is closed.
void squall_tls_free(struct squall_tls *tls);

/// Goes on with the handshake: 0 when it is done, squall_readable or squall_writable for what must
/// come first, or negative with a problem, which can be that of the server's certificate.
int squall_tls_connect(struct squall_tls *tls);
int squall_tls_untrusted(int result);
const char *squall_tls_problem(const struct squall_tls *tls);

/// As squall_receive and squall_send.
long squall_tls_receive(struct squall_tls *tls, void *buffer, unsigned long size);
long squall_tls_send(struct squall_tls *tls, const void *bytes, unsigned long size);
