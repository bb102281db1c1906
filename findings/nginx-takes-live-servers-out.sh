#!/usr/bin/env bash
# nginx 1.22.1: two kept connections that end under a request take two live servers out for 10 s.
#
# A server may close an idle connection at the moment when the next request is on its way; a worker
# that is replaced does so, too. nginx knows that case for connections of `keepalive`: it allows a
# further try. But it also counts it as a failure of the server, max_fails is 1 by itself, and when
# it has happened to each server within fail_timeout, "no live upstreams" follows: a 502 for every
# request of every user, for ten seconds, while nginx asks no server and each would answer.
# The documents of `keepalive` and of max_fails do not say that the two meet.
#
# Expected below, with two servers that once close a kept connection instead of answering: 200, 200,
# 502, then 502 for eight seconds, in which nothing reaches a server, and 200 after 13 s. With
# max_fails=0 that one request is answered 502 and all others 200.
# Exits with 1 if that changes. Needs Debian 12 with apt-get and python3; nothing is installed,
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/nginx_*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import itertools, socket, subprocess, sys, threading, time, urllib.error, urllib.request

folder = sys.argv[1]
nginx = folder + "/root/usr/sbin/nginx"
arrived = []


def serve(connection, closes):
    answered = False
    while True:
        buffer = b""
        while b"\r\n\r\n" not in buffer:
            piece = connection.recv(65536)
            if not piece:
                return connection.close()
            buffer += piece
        arrived.append(time.monotonic())
        if answered and closes:
            return connection.close()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        answered = True


def listen():
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        for number in itertools.count():
            threading.Thread(
                target=serve, args=(listener.accept()[0], number == 0), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def ask(port):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=9).status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def play(setting):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    servers = "".join(f"server 127.0.0.1:{listen()} {setting}; " for _ in range(2))
    with open(folder + "/conf", "w") as conf:
        conf.write(f"""daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error;
            events {{ }} http {{ access_log off; upstream app {{ {servers} keepalive 8; }}
            server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://app;
            proxy_http_version 1.1; proxy_set_header Connection ""; }} }} }}""")
    server = subprocess.Popen(
        [nginx, "-p", folder, "-e", folder + "/error", "-c", folder + "/conf"])
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        arrived.clear()
        first, began = [ask(port) for _ in range(3)], time.monotonic()
        during, arrivals = set(), len(arrived)
        while time.monotonic() < began + 8:
            during.add(ask(port))
            time.sleep(0.5)
        arrivals = len(arrived) - arrivals
        time.sleep(began + 13 - time.monotonic())
        return first, during, arrivals > 0, ask(port)
    finally:
        server.terminate()
        server.wait()


print(subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr.strip())
seen = []
for setting in ("", "max_fails=0"):
    first, during, asked, last = play(setting)
    seen.append((first, during, asked, last))
    print(f"{setting or 'no setting'}: {first}, for 8 s {sorted(during)},",
          "servers asked" if asked else "no server asked", f"meanwhile, after 13 s {last}")
raise SystemExit(0 if seen == [
    ([200, 200, 502], {502}, False, 200), ([200, 200, 502], {200}, True, 200)] else 1)
PYTHON
python3 "$folder/try.py" "$folder"
