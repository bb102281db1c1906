#!/bin/bash
# A client leaves after one second of three; what five proxies log of its request, and what GoAccess
# 1.7 makes of it: HAProxy 2.6.12, Apache 2.4.71 and lighttpd 1.4.69 write 200.
#
# The three go on, for two seconds and a client that is gone, and write the line of a response that
# arrived: status 200, its bytes, three seconds, with HAProxy also ---- as its state, which the
# manual has for "normal session completion". The server has done the work, so a client that repeats
# what took too long for it doubles the load, and no log shows more than slow successes. nginx
# 1.22.1 and Caddy 2.6.2 end their connection to the server. nginx has 499 for it, which every
# reader knows; Caddy writes status 0. GoAccess, which has a format named CADDY, takes that for no
# status: the line fails and is in no table, so that those requests are missing which were too slow
# for clients.
#
# Expected below, of a request whose client leaves after 1 s and one whose client stays, with a
# server that takes 3 s: the first has 200 and more than 2.5 s with three of them, 499 with nginx, 0
# and less than 2.5 s with Caddy, the second 200 with each; GoAccess has 1 valid request of Caddy's
# two. Exits with 1 if that changes. Needs Debian 12 with apt-get and python3; nothing is installed,
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 apache2-bin=2.4.71-1~deb12u1 \
    libjansson4 libapr1 libaprutil1 liblua5.3-0 haproxy=2.6.12-1+deb12u4 libopentracing1 \
    libopentracing-c-wrapper0 lighttpd=1.4.69-1 libxxhash0 libnettle8 caddy=2.6.2-5 \
    goaccess=1:1.7-1 libmaxminddb0 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, pathlib, re, socket, subprocess, sys, threading, time

folder = pathlib.Path(sys.argv[1])
root = folder / "root/usr"
environment = os.environ | {
    "LD_LIBRARY_PATH": str(next(root.glob("lib/*-linux-gnu"))), "HOME": str(folder),
    "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
FIELDS = r'"%h %t \"%r\" %>s %b %D"'


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        time.sleep(3)
        try:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        except OSError:
            pass


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
app = f"127.0.0.1:{server.server_port}"
ports = {name: free_port() for name in ("nginx", "apache", "lighttpd", "haproxy", "caddy")}
log = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
log.bind(("127.0.0.1", 0))
log.settimeout(10)
(folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error; events {{ }}
http {{
    log_format timed '"$request" $status $body_bytes_sent $request_time';
    access_log {folder}/nginx.log timed;
    server {{ listen 127.0.0.1:{ports["nginx"]}; location / {{ proxy_pass http://{app}; }} }}
}}""")
modules = "\n".join(f"LoadModule {name}_module {root}/lib/apache2/modules/mod_{name}.so"
                    for name in ("mpm_event", "authz_core", "proxy", "proxy_http"))
(folder / "apache.conf").write_text(f"""
ServerName localhost
User www-data
Group www-data
Listen 127.0.0.1:{ports["apache"]}
PidFile {folder}/apache.pid
ErrorLog {folder}/error
DefaultRuntimeDir {folder}
{modules}
CustomLog {folder}/apache.log {FIELDS}
ProxyPass / http://{app}/
""")
(folder / "lighttpd.conf").write_text(f"""
server.document-root = "{folder}"
server.bind = "127.0.0.1"
server.port = {ports["lighttpd"]}
server.errorlog = "{folder}/error"
server.modules = ("mod_accesslog", "mod_proxy")
accesslog.filename = "{folder}/lighttpd.log"
accesslog.format = {FIELDS.replace(">", "")}
proxy.server = ("" => (("host" => "127.0.0.1", "port" => {server.server_port})))
""")
(folder / "haproxy.conf").write_text(f"""
global
    log 127.0.0.1:{log.getsockname()[1]} local0
defaults
    mode http
    log global
    option httplog
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend front
    bind 127.0.0.1:{ports["haproxy"]}
    default_backend app
backend app
    server one {app}
""")
(folder / "Caddyfile").write_text(f"""
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{ports["caddy"]} {{
    reverse_proxy {app}
    log {{
        output file {folder}/caddy.log
    }}
}}
""")


def get(port, path, leaves):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                           "Connection: close\r\n\r\n".encode())
        if leaves:
            return time.sleep(1)
        connection.settimeout(60)
        while connection.recv(9999): pass


def seen(name):
    """The status and the seconds of the request that was left and of the other one."""
    if name == "caddy":
        lines = map(json.loads, (folder / "caddy.log").read_text().splitlines())
        return {line["request"]["uri"]: (line["status"], line["duration"]) for line in lines}
    if name == "haproxy":
        pattern, scale = r'/(\d+) (\d+) \d+ - - \S+ .*"GET (\S+)', 1000
        found = re.findall(pattern, "\n".join(haproxy_lines))
        return {path: (int(status), int(took) / scale) for took, status, path in found}
    text = (folder / f"{name}.log").read_text()
    found = re.findall(r'"GET (\S+) HTTP/1.1" (\d+) \S+ (\S+)', text)
    scale = 1 if name == "nginx" else 1e6
    return {path: (int(status), float(took) / scale) for path, status, took in found}


commands = [
    ["sbin/nginx", "-p", folder, "-e", folder / "error", "-c", folder / "nginx.conf"],
    ["sbin/apache2", "-f", folder / "apache.conf", "-DFOREGROUND"],
    ["sbin/lighttpd", "-D", "-f", folder / "lighttpd.conf", "-m", root / "lib/lighttpd"],
    ["sbin/haproxy", "-f", folder / "haproxy.conf"],
    ["bin/caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]]
print(*(path.name for path in sorted(folder.glob("*.deb")) if "lib" not in path.name), sep="\n")
processes = [subprocess.Popen([root / command[0], *command[1:]], env=environment,
                              stderr=subprocess.DEVNULL) for command in commands]
try:
    for port in ports.values():
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
    threads = [threading.Thread(target=get, args=(port, path, path == "/left"))
               for port in ports.values() for path in ("/left", "/stayed")]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    haproxy_lines = []
    while len(haproxy_lines) < 2:
        line = log.recv(9999).decode()
        if '"GET ' in line:
            haproxy_lines.append(line)
    time.sleep(2)
finally:
    for process in processes: process.terminate()
    for process in processes: process.wait()
changed = False
for name in ports:
    found = seen(name)
    (status, seconds), (other, _) = found["/left"], found["/stayed"]
    changed |= len(found) != 2 or other != 200
    changed |= status != {"nginx": 499, "caddy": 0}.get(name, 200)
    changed |= (seconds > 2.5) != (name not in ("nginx", "caddy"))
    print(f"{name}: client left {status}, {seconds:.1f} s; client stayed {other}")
subprocess.run(
    [root / "bin/goaccess", folder / "caddy.log", "--no-global-config", "--log-format=CADDY", "-o",
     folder / "report.json"], env=environment, check=True, capture_output=True)
general = json.loads((folder / "report.json").read_text())["general"]
print("GoAccess on Caddy's log:", general["total_requests"], "requests,",
      general["valid_requests"], "valid,", general["failed_requests"], "failed")
changed |= (general["total_requests"], general["valid_requests"]) != (2, 1)
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"
