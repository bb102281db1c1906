#!/usr/bin/env bash
# GoAccess 1.7 reading nginx 1.22.1: a request that nginx sent to two servers took 0 s.
#
# $upstream_response_time is the usual field for the time of an API, and %T the one of GoAccess for
# it. When a server fails and nginx asks the next, the field has a time for each, "0.400, 0.401",
# and "-" where none was asked. GoAccess takes what is not one number for 0, without a word: the
# line is valid, is counted, and makes the average smaller. So the report is best for the hour in
# which a server was failing: the slowest requests are the fastest, and the maximum does not know
# them. nginx documents the form; GoAccess names %T as "the time taken to serve the request, in
# seconds", and says nothing of others.
#
# Expected below, of four GETs that one server answers and four where the first server fails, each
# server after 0.4 s: nginx logs one time and two, all eight lines are valid, and the average is
# more than 0.3 s for the first four and 0 for the others, as is the maximum. Exits with 1 if that
# changes. Needs Debian 12 with apt-get and python3; nothing is installed, everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 goaccess=1:1.7-1 libmaxminddb0 \
    >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, pathlib, socket, subprocess, sys, threading, time, urllib.request

folder = pathlib.Path(sys.argv[1])
nginx, goaccess = folder / "root/usr/sbin/nginx", folder / "root/usr/bin/goaccess"
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        time.sleep(0.4)
        if self.server.fails:
            return self.connection.close()
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


def listen(fails):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.fails = fails
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"server 127.0.0.1:{server.server_port} max_fails=0"


with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
good = listen(False)
(folder / "conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error; events {{ }}
http {{
    log_format timed '$remote_addr - - [$time_local] "$request" $status $body_bytes_sent '
        '"$http_referer" "$http_user_agent" "$upstream_response_time"';
    access_log {folder}/log timed;
    upstream once {{ {good}; }}
    upstream twice {{ {listen(True)}; {good} backup; }}
    server {{
        listen 127.0.0.1:{port};
        location /once {{ proxy_pass http://once; }}
        location /twice {{ proxy_pass http://twice; }}
    }}
}}""")
print(subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.strip())
print(subprocess.run([goaccess, "--version"], env=libraries, capture_output=True, text=True)
      .stdout.splitlines()[0])
server = subprocess.Popen([nginx, "-p", folder, "-e", folder / "error", "-c", folder / "conf"])
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    for path in ("once", "twice"):
        for _ in range(4):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=30).read()
finally:
    server.terminate()
    server.wait()
lines = (folder / "log").read_text().splitlines()
fields = [line.split('"')[-2] for line in lines]
counts = [field.count(",") + 1 for field in fields]
print("times in each line:", *counts, "- the last line has", fields[-1])
subprocess.run(
    [goaccess, folder / "log", "--no-global-config", "--date-format=%d/%b/%Y", "--time-format=%T",
     '--log-format=%h %^[%d:%t %^] "%r" %s %b "%R" "%u" "%T"', "-o", folder / "report.json"],
    env=libraries, check=True, capture_output=True)
report = json.loads((folder / "report.json").read_text())
times = {row["data"]: (row["hits"]["count"], int(row["avgts"]) / 1e6, int(row["maxts"]) / 1e6)
         for row in report["requests"]["data"]}
valid = report["general"]["valid_requests"]
print(f"{valid} of {len(lines)} lines are valid")
for path, (count, average, longest) in times.items():
    print(f"{path}: {count} requests, average {average:.3f} s, longest {longest:.3f} s")
is_so = counts == [1] * 4 + [2] * 4 and valid == 8
is_so &= times["/once"][1] > 0.3 and times["/twice"] == (4, 0, 0)
raise SystemExit(not is_so)
PYTHON
python3 "$folder/try.py" "$folder"
