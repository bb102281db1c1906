#!/bin/bash
# requests-mock 1.12.1, responses 0.26.3 and httpretty 1.1.4: three ways to test that a client
# retries, and none of the three sees what it does.
#
# A session of requests retries where it is told so by an adapter of urllib3: HTTPAdapter with
# Retry. requests-mock puts its own adapter in that place: a retry that works is shown as one
# request and a 503 for the caller, and who believes it writes a second retry around the first.
# responses counts 503, 503, 200 as it should, but makes no pause, neither that of Retry-After nor
# of the backoff: a test passes, and takes no time, whose client keeps a thread for ten seconds.
# A lost connection, the most usual cause, it does not retry at all, as requests-mock. With vcrpy
# 8.4.0 and a server all three are as they are in production, pauses included. The documents of
# responses say "retry mechanism" and show statuses; those of requests-mock do not speak of it.
#
# Expected below, of a session with three retries, and 503 twice with Retry-After of 5 s, then 200:
# status, requests and pauses; and of a connection that is lost once, status and requests. Exits
# with 1 if that changes. Pauses are noted and not slept, the server is on this machine. Needs
# python3 and PyPI; everything stays in a temporary folder.
