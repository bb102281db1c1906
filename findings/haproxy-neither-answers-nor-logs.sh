#!/usr/bin/env bash
# HAProxy 2.6.12: a request can reach the server and get neither a response nor a log line.
#
# If the server ends the connection under a request, the first request of a client's connection is
# answered 502 and logged. Each later one gets nothing: the client's connection is closed, and no
# line of `option httplog` tells of it. The manual says at http-reuse that a browser "can decide to
# silently retry it". But a POST is treated alike, and not only browsers decide: curl sends it
# again. So an order arrives twice, and the log, from which error rates and load are read, lacks the
# one that failed.
#
# Expected below, for GET and for POST, with a server that reads a request for /end and closes:
# alone 502 and 1 line, after another request no response and no line; curl, which sends both over
# one connection, posts it to the server twice, and the log has one.
# Exits with 1 if that changes. Needs Debian 12 with apt-get, curl and python3; nothing is
# installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download haproxy=2.6.12-1+deb12u4 liblua5.3-0 \
    libopentracing-c-wrapper0 libopentracing1 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.client, os, pathlib, socket, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
haproxy = [str(folder / "root/usr/sbin/haproxy")]
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}
arrived = []


def serve(connection):
    buffer = b""
    while True:
        while b"\r\n\r\n" not in buffer:
            piece = connection.recv(65536)
            if not piece:
                return connection.close()
            buffer += piece
        head, _, buffer = buffer.partition(b"\r\n\r\n")
        arrived.append(head.split()[1].decode())
        if arrived[-1] == "/end":
            return connection.close()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def accept():
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, daemon=True).start()
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "conf").write_text(f"""
global
    log stdout format raw local0
defaults
    mode http
    log global
    option httplog
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend front
    bind 127.0.0.1:{port}
    default_backend app
backend app
    server one 127.0.0.1:{listener.getsockname()[1]}
""")


def lines():
    time.sleep(0.5)
    return sum("/end " in line for line in (folder / "log").read_text().splitlines())


def ask(method, *paths):
    """What came of the last one, how often it arrived, and how many lines tell of it."""
    connection, before, ends = http.client.HTTPConnection("127.0.0.1", port), lines(), []
    arrived.clear()
    for path in paths:
        try:
            connection.request(method, path)
            ends.append(connection.getresponse())
            ends[-1] = (ends[-1].read(), ends[-1].status)[1]
        except http.client.RemoteDisconnected:
            ends.append("no response")
    return ends[-1], arrived.count("/end"), lines() - before


print(subprocess.run([*haproxy, "-v"], env=libraries, capture_output=True, text=True).stdout
      .splitlines()[0])
with open(folder / "log", "w") as log:
    proxy = subprocess.Popen([*haproxy, "-f", folder / "conf"], env=libraries, stdout=log)
try:
    time.sleep(1)
    seen = {}
    for method in ("GET", "POST"):
        for paths in (["/end"], ["/good", "/end"]):
            seen[method, len(paths)] = ask(method, *paths)
            print(method, *paths, "- end, arrivals, log lines:", *seen[method, len(paths)])
    before = lines()
    arrived.clear()
    subprocess.run(["curl", "-s", "-d", "", *(
        f"http://127.0.0.1:{port}/{path}" for path in ("good", "end"))], stdout=subprocess.PIPE)
    seen["curl"] = arrived.count("/end"), lines() - before
    print("curl, POST /good and /end - arrivals, log lines:", *seen["curl"])
finally:
    proxy.terminate()
    proxy.wait()
alone, later = (502, 1, 1), ("no response", 1, 0)
raise SystemExit(seen != {
    ("GET", 1): alone, ("GET", 2): later, ("POST", 1): alone, ("POST", 2): later, "curl": (2, 1)})
PYTHON
python3 "$folder/try.py" "$folder"
