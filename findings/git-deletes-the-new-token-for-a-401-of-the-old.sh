#!/bin/bash
# git 2.39.5 (Debian 12) with credential.helper=store: one 401 deletes the stored token, and a job
# that began with the old token deletes the new one.
#
# When a server answers 401 to what the helper gave, git tells the helper to erase it. The helper of
# this version goes by address and user, not by the token: a fetch that read its token before a
# rotation, and is refused after it, erases what the rotation has just stored. The line is gone for
# good: each later job ends with "could not read Username", also where the server, or what checks
# tokens for it, had a bad minute and answered 401 to good ones; then a fleet of build machines is
# to be given its tokens again. After 403, 429 and 503 the line stays, so a server that cannot check
# a token should say 503. credential-cache goes by the same. Git's page has "erase a matching
# credential", and not what has to match; a token in http.extraHeader stays.
#
# Expected below, of a fetch, and of the next one from a server that is well: after 403, 429 and 503
# the line is there and the next one succeeds; after 401 to a good token the line is gone and the
# next one fails without showing a token; after 401 to the old token, with the new one stored
# meanwhile, the same. Exits with 1 if that changes. The server is on this machine; needs Debian 12
# with apt-get and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download git=1:2.39.5-0+deb12u3 libcurl3-gnutls libnghttp2-14 librtmp1 \
    libssh2-1 libpsl5 libldap-2.5-0 libsasl2-2 libbrotli1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import base64, http.server, os, pathlib, subprocess, sys, threading

folder = pathlib.Path(sys.argv[1])
root, store = folder / "root/usr", folder / "tokens"
REFS = b"001e# service=git-upload-pack\n00000000"
shown, answers = [], []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        header = self.headers.get("Authorization")
        status, rotated = 401, None
        if header:
            shown.append(base64.b64decode(header.split()[1]).decode().split(":")[1])
            status, rotated = answers.pop(0) if answers else (200, None)
        if rotated:
            save(rotated)  # another job gets the new token while this one is under way
        body = REFS if status == 200 else b""
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
host = f"127.0.0.1:{server.server_port}"


def save(token): store.write_text(f"http://job:{token}@{host}\n")


def git(*arguments):
    library = next(root.glob("lib/*-linux-gnu"))
    return subprocess.run(
        [root / "bin/git", "-c", f"credential.helper=store --file={store}", *arguments],
        capture_output=True, text=True, timeout=20, env=os.environ | {
            "HOME": str(folder), "GIT_EXEC_PATH": str(root / "lib/git-core"), "LC_ALL": "C",
            "LD_LIBRARY_PATH": str(library), "GIT_TERMINAL_PROMPT": "0",
            "GIT_CONFIG_NOSYSTEM": "1", "http_proxy": "", "no_proxy": "127.0.0.1"})


def fetch(): return git("ls-remote", f"http://{host}/app.git")


print(git("version").stdout.strip())
seen = {}
for name, answer in {"403": (403, None), "429": (429, None), "503": (503, None),
                     "401": (401, None), "401 to the old one": (401, "new")}.items():
    save("old")
    answers[:], shown[:] = [answer], []
    first = fetch().returncode
    is_stored, after = "job" in store.read_text(), fetch()
    seen[name] = first, is_stored, after.returncode, tuple(shown)
    print(f"{name}: exit code {first}, token stored: {is_stored}; the next: {after.returncode},",
          f"tokens shown: {shown}", after.stderr.strip().split("\n")[-1][:40])
kept, gone = (128, True, 0, ("old", "old")), (128, False, 128, ("old",))
raise SystemExit([*seen.values()] != [kept] * 3 + [gone] * 2)
PYTHON
python3 "$folder/try.py" "$folder"
