#!/bin/bash
# requests-mock 1.12.1 and responses 0.26.3: with the one a session that retries makes one request
# in a test, with the other it makes no pause, and with both it never retries a lost connection.
#
# requests retries where an adapter of urllib3 is told so: HTTPAdapter(max_retries=Retry(…)).
# requests-mock puts its own adapter in that place. So a test shows one request and a 503 to the
# caller of a client that is fine, and who believes it writes a second retry around the first: nine
# requests for three. responses counts 503, 503, 200 as it should, but never sleeps, neither for
# Retry-After nor for the backoff: a test is quick whose client keeps a thread for ten seconds. A
# lost connection, the usual cause, is raised by both at once; in production it is tried again. The
# documents of responses have a test of retries with statuses, those of requests-mock do not name
# it. vcrpy 9.4.2 sits below urllib3, and repeats statuses and pauses as they were.
#
# Expected below, of a session with three retries, with 503 twice, Retry-After of 5 s, then 200:
# status, requests and pauses are 200, 3 and 5 5 with a server and with vcrpy, 200, 3 and none with
# responses, 503, 1 and none with requests-mock; of a connection that is lost once: 200 and 2 with a
# server, ConnectionError and 1 with both. Exits with 1 if that changes. Pauses are noted and not
# slept, the server is on this machine. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile requests==2.34.2 urllib3==2.8.0 \
    requests-mock==1.12.1 responses==0.26.3 vcrpy==9.4.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, sys, threading, time
from importlib.metadata import version

import requests, requests_mock, responses, urllib3, vcr

BUSY, pauses, arrived = {"Retry-After": "5"}, [], []
time.sleep = pauses.append


class Server(http.server.BaseHTTPRequestHandler):
    loses = False

    def log_message(self, *_): pass

    def do_GET(self):
        arrived.append(1)
        if self.loses and len(arrived) == 1:
            return  # the connection ends without a response
        self.send_response(200 if self.loses or len(arrived) > 2 else 503)
        self.send_header("Retry-After", "5")
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"


def send(count):
    pauses.clear()
    session = requests.Session()
    session.mount("http://", requests.adapters.HTTPAdapter(
        max_retries=urllib3.Retry(3, backoff_factor=1, status_forcelist=[503])))
    try:
        status = session.get(url).status_code
    except requests.ConnectionError as error:
        status = type(error).__name__
    return status, count(), list(pauses)


def with_server(loses):
    arrived.clear()
    Server.loses = loses
    return send(lambda: len(arrived))


def with_vcr(loses):
    cassette = f"{sys.argv[1]}/{loses}"
    with vcr.use_cassette(cassette):
        with_server(loses)
    with vcr.use_cassette(cassette) as played:
        return send(lambda: played.play_count)


def with_responses(loses):
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        if loses:
            mock.get(url, body=requests.ConnectionError("lost"))
            mock.get(url)
        else:
            for status in (503, 503, 200):
                mock.get(url, status=status, headers=BUSY)
        return send(lambda: len(mock.calls))


def with_requests_mock(loses):
    with requests_mock.Mocker() as mock:
        mock.get(url, [{"exc": requests.ConnectionError("lost")}, {}] if loses else [
            {"status_code": status, "headers": BUSY} for status in (503, 503, 200)])
        return send(lambda: mock.call_count)


changed = False
LOST = "ConnectionError", 1, []
for name, play, expected in (
    ("a server", with_server, ((200, 3, [5, 5]), (200, 2, []))),
    ("vcrpy", with_vcr, ((200, 3, [5, 5]), None)),
    ("responses", with_responses, ((200, 3, []), LOST)),
    ("requests-mock", with_requests_mock, ((503, 1, []), LOST)),
):
    print(name, "" if name == "a server" else version(name))
    for loses, wanted in zip((False, True), expected):
        if wanted:
            seen = status, count, slept = play(loses)
            changed |= seen != wanted
            print("  a lost connection:" if loses else "  503, 503, 200:", status, "-", count,
                  "requests, pauses:", *slept or ["none"])
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
