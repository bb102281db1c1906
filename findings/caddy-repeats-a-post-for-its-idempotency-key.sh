#!/bin/bash
# Caddy 2.6.2 as a reverse proxy: the header that makes a POST safe to repeat makes the proxy repeat
# it, also where the server does not know the header.
#
# If a server ends a kept connection under a request, Caddy answers 502 and leaves a POST to its
# client. It does not if the request has no body and an Idempotency-Key (or X-Idempotency-Key): then
# it is sent again, on a new connection, and the client sees one response of 200. That is a rule of
# the transport of Go's library for its own callers, who set the header knowing that; behind a proxy
# the client sets it, for the server's sake. POST /orders/7/pay, confirm, cancel and the like have
# no body. With one, or with another header, it arrives once. Caddy's page on reverse_proxy has
# retries as off by itself, and GET alone as what is retried.
#
# Expected below, of a POST on a kept connection that the server reads and closes without a
# response: arrivals and status with the header and without a body 2 and 200, with X-Idempotency-Key
# too; with a body, or without the header, 1 and 502. Exits with 1 if that changes. Needs Debian 12
# with apt-get and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download caddy=2.6.2-5 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.client, os, pathlib, socket, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
caddy = folder / "root/usr/bin/caddy"
posts = []
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def serve(connection):
    """Answers GET; the first POST is read and gets no response, each other one does."""
    with connection, connection.makefile("rb") as stream:
        while line := stream.readline():
            headers = {}
            while (header := stream.readline().strip()):
                name, value = header.decode().lower().split(":", 1)
                headers[name] = value.strip()
            stream.read(int(headers.get("content-length", 0)))
            if line.startswith(b"POST"):
                posts.append(line)
                if len(posts) == 1:
                    return
            connection.sendall(OK)


def accept():
    while True:
        threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()


server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, daemon=True).start()
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "Caddyfile").write_text(f"""
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy 127.0.0.1:{server.getsockname()[1]}
}}
""")


def ask(method, body=None, headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, "/orders/7/pay", body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
                            "XDG_DATA_HOME": str(folder)}
print("Caddy", subprocess.run([caddy, "version"], capture_output=True, text=True,
                              env=environment).stdout.split()[0])
process = subprocess.Popen(
    [caddy, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"], env=environment,
    stderr=subprocess.DEVNULL)
changed = False
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    for name, body, headers, expected in (
        ("no header, no body", None, {}, (1, 502)),
        ("Idempotency-Key, no body", None, {"Idempotency-Key": "a"}, (2, 200)),
        ("X-Idempotency-Key, no body", None, {"X-Idempotency-Key": "a"}, (2, 200)),
        ("Idempotency-Key and a body", "{}", {"Idempotency-Key": "a"}, (1, 502)),
    ):
        assert ask("GET") == 200
        time.sleep(0.2)
        posts.clear()
        status = ask("POST", body, headers)
        seen = len(posts), status
        changed |= seen != expected
        print(f"POST with {name}: {seen[0]} arrive, the client is answered {seen[1]}")
finally:
    process.terminate()
    process.wait()
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"
