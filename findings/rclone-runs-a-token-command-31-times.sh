#!/bin/bash
# rclone 1.60.1 (Debian 12), webdav: a copy of one file whose account is closed asks for 31 tokens,
# and one that is told to wait a minute asks thirty times in that minute.
#
# --webdav-bearer-token-command is run for a token, and again after a 401. A token that is new and
# refused as well is no reason to stop: a 401 counts as a failure of the moment, of which there are
# ten in a row (--low-level-retries), and the whole copy is begun three times (--retries), which the
# documents have apart, not as thirty. So a closed account or a wrong client costs the identity
# provider 31 tokens for each file, in 45 s, each good and each refused. With a fixed token it is 3
# requests. The same thirty go to a server that says 429 or 503 with Retry-After: 60: this backend
# does not read the header, the pause between two is 2 s at most.
#
# Expected below, of a copy of one file: requests and tokens are 30 and 31 where the server answers
# 401 and a command brings tokens, 3 and none with a fixed one, 30 in less than 100 s where it
# answers 429 with Retry-After: 60; rclone ends with 1. Exits with 1 if that changes. The copies run
# at one time, for 45 s; the server is on this machine. Needs Debian 12 with apt-get and python3;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download rclone=1.60.1+dfsg-2+b5 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/rclone_*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import collections, http.server, os, pathlib, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
rclone = folder / "root/usr/bin/rclone"
arrived = collections.defaultdict(list)


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_PROPFIND(self):
        case = self.path.split("/")[1]
        arrived[case].append((time.monotonic(), self.headers["Authorization"]))
        self.send_response(429 if case == "busy" else 401)
        self.send_header("Retry-After", "60")
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
command, issued = folder / "token", folder / "issued"
command.write_text(f'#!/bin/sh\necho token >>{issued}\necho token-$(wc -l <{issued})\n')
command.chmod(0o755)
(folder / "file").write_text("data")


def copy(case, *options):
    return subprocess.Popen(
        [rclone, "copyto", folder / "file", ":webdav:file", "--config", "/dev/null", "-q",
         "--webdav-url", f"http://127.0.0.1:{server.server_port}/{case}", *options],
        env=os.environ | {"HOME": str(folder)}, stderr=subprocess.DEVNULL)


FIXED = "--webdav-bearer-token", "fixed"
copies = [copy("command", "--webdav-bearer-token-command", command), copy("fixed", *FIXED),
          copy("busy", *FIXED)]
ends = [process.wait() for process in copies]
tokens = len(issued.read_text().splitlines())
shown = {case: len({token for _, token in requests}) for case, requests in arrived.items()}
counts = {case: len(requests) for case, requests in arrived.items()}
took = arrived["busy"][-1][0] - arrived["busy"][0][0]
print(subprocess.run([rclone, "version"], capture_output=True, text=True).stdout.splitlines()[0])
print(f"401, tokens by a command: {counts['command']} requests with {shown['command']} tokens,",
      tokens, "tokens issued")
print(f"401, one token: {counts['fixed']} requests")
print(f"429 with Retry-After: 60: {counts['busy']} requests within {took:.0f} s")
is_so = counts == {"command": 30, "fixed": 3, "busy": 30} and tokens == 31 and took < 100
raise SystemExit(not is_so or ends != [1, 1, 1])
PYTHON
python3 "$folder/try.py" "$folder"
