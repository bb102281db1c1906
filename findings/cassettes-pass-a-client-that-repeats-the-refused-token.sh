#!/bin/bash
# vcrpy 9.4.2 and betamax 0.9.0: on a recorded refresh, a client that sends the refused token again
# passes, and one that refreshes before the end fails.
#
# A cassette of a call that met a 401 has three entries: the call and 401, the refresh, the call and
# 200. Both match an entry by method and address, not by the token in its header, and hand out the
# entries of one address in the order of their recording. So the first GET is answered 401 and the
# second 200, whatever they show. A test of the client's refresh, green with the client that was
# recorded, is green as well when somebody takes the refresh out, and the client repeats its call
# with the dead token; it is red when somebody makes the client better. With the header among the
# matchers (match_on, match_requests_on) both tell the clients apart.
#
# Expected below, of three clients on one cassette, that refreshes at a 401, that sends its call
# again, that refreshes first: with each library 200, 200 and 401; with the header matched 200, an
# error of the library and 200. Exits with 1 if that changes. Recorded from a server on this
# machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile vcrpy==9.4.2 betamax==0.9.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, sys, threading
from importlib.metadata import version

import betamax, requests, vcr


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200 if self.headers["Authorization"] == "Bearer new" else 401, {})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, {"access_token": "new", "expires_in": 3600})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base, folder = f"http://127.0.0.1:{server.server_port}", sys.argv[1]


def call(session, token):
    return session.get(base + "/orders", headers={"Authorization": "Bearer " + token}).status_code


def refresh(session):
    return session.post(base + "/token", data={"grant_type": "refresh_token"}).json()[
        "access_token"]


def refreshes_at_401(session):
    status = call(session, "old")
    return call(session, refresh(session)) if status == 401 else status


def repeats(session):
    status = call(session, "old")
    return call(session, "old") if status == 401 else status


def refreshes_first(session):
    return call(session, refresh(session))


def with_vcrpy(client, match_on, mode):
    tape = vcr.VCR(record_mode=mode, match_on=match_on, cassette_library_dir=folder)
    with tape.use_cassette(f"vcrpy-{len(match_on)}.yaml"):
        return client(requests.Session())


def with_betamax(client, match_on, mode):
    session = requests.Session()
    recorder = betamax.Betamax(session, cassette_library_dir=folder)
    with recorder.use_cassette(
            f"betamax-{len(match_on)}", record=mode, match_requests_on=match_on):
        return client(session)


changed = False
for name, play in (("vcrpy", with_vcrpy), ("betamax", with_betamax)):
    for more, expected in (([], [200, 200, 401]), (["headers"], [200, "error", 200])):
        seen, live = [], play(refreshes_at_401, ["method", "uri"] + more, "once")
        for client in (refreshes_at_401, repeats, refreshes_first):
            try:
                seen.append(play(client, ["method", "uri"] + more, "none"))
            except Exception:
                seen.append("error")
        changed |= live != 200 or seen != expected
        print(f"{name} {version(name)}, {'header matched' if more else 'as it is'}:", *seen)
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
