#!/bin/bash
# pip 26.3: of an index that is busy it says that there is no such package, after half a second or
# ten; asked to wait an hour it waits the hour, without a word. uv 0.13.9 does neither.
#
# A page of the index that ends with an error counts as a page without links, at a level of the log
# that is not shown, so a rate limit of a mirror reads "No matching distribution found", and the one
# who looks for it looks at the name, the version and the Python. The number of retries (5) and the
# time-out (15 s) are settings; a Retry-After of 429, 503 or 413 is taken as it is, up to five
# times, with nothing on the screen; a job of a build server stands there until its own limit. A 429
# without the header is not tried again, a 503 is, for eight seconds. uv tries three times, after
# pauses of its own that do not know the header, comes back within seconds, and says which status it
# was.
#
# Expected below: with 429 or 503 and Retry-After: 3600 pip makes its last request within 5 s and is
# still there 15 s after its start with no word of the reason; uv ends after 4 requests and names
# the status; with 429 and no header pip ends with "No matching distribution found", and the status
# is not in what it says. Exits with 1 if that changes. The server is on this machine; needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile pip==26.3 uv==0.13.9
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, subprocess, sys, threading, time

folder, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.executable).parent
arrived, answer = [], []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        arrived.append(time.monotonic())
        status, pause = answer
        self.send_response(status)
        if pause:
            self.send_header("Retry-After", pause)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
index = f"http://127.0.0.1:{server.server_port}/simple/"
plain = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
commands = {
    "pip": [programs / "pip", "--isolated", "--no-cache-dir", "--disable-pip-version-check",
            "download", "--dest", folder / "got", "--index-url", index, "demo"],
    "uv": [programs / "uv", "pip", "compile", "--no-config", "--no-cache", "--index-url", index,
           folder / "demo.in"],
}
(folder / "demo.in").write_text("demo\n")


def play(name, *given):
    """Requests, seconds until the last of them, whether it is still there, and what it said."""
    answer[:], arrived[:] = given, []
    began = time.monotonic()
    process = subprocess.Popen(commands[name], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=plain | {
                                   "HOME": str(folder), "no_proxy": "127.0.0.1"})
    try:
        said, is_there = process.communicate(timeout=15 if name == "pip" else 60)[0], False
    except subprocess.TimeoutExpired:
        process.terminate()
        said, is_there = process.communicate()[0], True
    last = arrived[-1] - arrived[0]
    print(f"{name}, {given}: {len(arrived)} requests within {last:.1f} s,",
          "still waiting" if is_there else "ended: " + " ".join(said.split())[-75:])
    return len(arrived), last, is_there, said


for name in commands:
    print(subprocess.check_output([programs / name, "--version"], text=True).split(" from")[0])
changed = False
for status in (429, 503):
    count, last, is_there, said = play("pip", status, "3600")
    changed |= last > 5 or not is_there or str(status) in said or "etry" in said
    count, last, is_there, said = play("uv", status, "3600")
    changed |= count != 4 or is_there or str(status) not in said
_, _, is_there, said = play("pip", 429, None)
changed |= is_there or "429" in said or "No matching distribution found" not in said
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
