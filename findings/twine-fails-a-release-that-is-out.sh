#!/bin/bash
# twine 7.0.0: an upload whose file was stored, and whose response was lost in a proxy, ends as
# "file already exists", with half of the release on the index; a busy index gets a file five times
# at once.
#
# An index behind a proxy answers 502, 503 or 504 when it was slow, also after it has stored the
# file. upload() sends the whole file again at a 5xx, up to five times, without a pause. The second
# request finds the file there, 400, which is the end of the run: the files that follow are not
# sent, the job is red, and a version that users can install has wheels for one of three systems. A
# run that is begun again fails at the first file; --skip-existing, which would help, is refused for
# an index that is not PyPI. Where the index is busy, each of the five requests brings the whole
# file: 60 MB of a wheel are 300 within a second or two. A 429 is not tried again, and Retry-After
# is not read.
#
# Expected below, of two files: where the response to the first is 502 after it was stored 2
# uploads, both of the first file, and exit code 1; with --skip-existing no upload and 1; of one
# file and an index that answers 503 with Retry-After: 30, 5 uploads within 2 s; with 429 1. Exits
# with 1 if that changes. The server is on this machine; needs python3 and PyPI; everything stays in
# a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile twine==7.0.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, os, pathlib, re, subprocess, sys, threading, time, zipfile

folder, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.executable).parent
METADATA = "Metadata-Version: 2.1\nName: example\nVersion: 1.0\n"
stored, arrived = set(), []


def wheel(python):
    path = folder / f"example-1.0-{python}-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("example-1.0.dist-info/METADATA", METADATA)
        file.writestr("example-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        file.writestr("example-1.0.dist-info/RECORD", "")
    return path


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"]))
        name = re.search(rb'filename="([^"]+)"', form)[1].decode()
        arrived.append((name, time.monotonic()))
        status, reason = 200, "OK"
        if refusal == 502:  # of a proxy, when the index has stored the file
            if name in stored:
                status, reason = 400, "File already exists"
            elif not stored:
                status, reason = 502, "Bad Gateway"
            stored.add(name)
        elif refusal:
            status, reason = refusal, "Busy"
        self.send_response(status, reason)
        self.send_header("Retry-After", "30")
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
both = [wheel("cp311"), wheel("cp312")]


def upload(files, *options):
    """Uploads, the seconds between the first and the last, files stored, and the exit code."""
    stored.clear(), arrived.clear()
    run = subprocess.run(
        [programs / "twine", "upload", "--non-interactive", "--disable-progress-bar", *options,
         "--repository-url", f"http://127.0.0.1:{server.server_port}/legacy/", *files],
        capture_output=True, text=True, timeout=60, env=os.environ | {
            "HOME": str(folder), "TWINE_USERNAME": "a", "TWINE_PASSWORD": "b",
            "no_proxy": "127.0.0.1", "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"})
    span = arrived[-1][1] - arrived[0][1] if arrived else 0
    print(f"{refusal} {options}: {len(arrived)} uploads within {span:.1f} s,",
          f"stored: {sorted(stored)}, exit code {run.returncode}")
    return len(arrived), span < 2, len(stored), run.returncode


print(subprocess.check_output([programs / "twine", "--version"], text=True).split(" (")[0])
seen = []
for refusal, files, options in ((502, both, ()), (502, both, ("--skip-existing",)),
                                (503, both[:1], ()), (429, both[:1], ())):
    seen.append(upload(files, *options))
raise SystemExit([(count, files, code) for count, _, files, code in seen] != [
    (2, 1, 1), (0, 0, 1), (5, 0, 1), (1, 0, 1)] or not seen[2][1])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
