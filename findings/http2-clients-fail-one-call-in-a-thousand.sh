#!/usr/bin/env bash
# httpx 0.28.1 and httpx2 2.16.2 over HTTP/2, nginx 1.22.1 as it is: one call in a thousand fails;
# with Java 17's HttpClient one may.
#
# nginx ends a connection after keepalive_requests, 1,000 by itself: it sends GOAWAY and then still
# the last response. By RFC 9113, 6.8, streams up to the number in it go on. h2 4.4.1, which the
# first two use, takes it for the end of everything, and the response behind it raises "Invalid
# input ConnectionInputs.RECV_HEADERS in state ConnectionState.CLOSED"; in Java 17.0.15 the call
# ends with "GOAWAY received" where that is read before the response, and on a busy machine is not.
# The server has done the work and logs 200; an app that repeats such a call does it twice. With
# many calls at once all those under way fail with it. curl meets the same GOAWAY and gets each
# response.
#
# Expected below, of 2,500 POSTs one after the other: 2 fail with each of the first two, the 1,000th
# and the 2,000th, with Java those at most, none with curl; nginx logs 2,500 of each with status
# 200. Exits with 1 if that changes. Java is tried where a JDK 17 is installed. Needs Debian 12 with
# apt-get, curl, openssl, python3 and PyPI; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download nginx=1.22.1-9+deb12u11 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/nginx_*.deb "$folder/root"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install httpx==0.28.1 httpx2==2.16.2 h2==4.4.1
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 \
    -addext subjectAltName=DNS:localhost -out "$folder/public" -keyout "$folder/own.pem" \
    2>"$folder/openssl.txt"
cat "$folder/public" >>"$folder/own.pem"
cat >"$folder/Client.java" <<'JAVA'
import java.net.URI;
import java.net.http.*;

public class Client {
    public static void main(String[] words) throws Exception {
        var client = HttpClient.newHttpClient();
        var post = HttpRequest.newBuilder(URI.create(words[0]))
            .POST(HttpRequest.BodyPublishers.noBody()).build();
        for (int number = 1; number <= Integer.parseInt(words[1]); number++) {
            try {
                var response = client.send(post, HttpResponse.BodyHandlers.ofString());
                System.out.println(response.statusCode() + " " + response.version());
            } catch (java.io.IOException error) {
                System.out.println(error.getMessage().replaceAll(".*: ", ""));
            }
        }
        System.exit(0);
    }
}
JAVA
cat >"$folder/try.py" <<'PYTHON'
import pathlib, shutil, socket, subprocess, sys, time
from importlib.metadata import version

import httpx, httpx2

folder = pathlib.Path(sys.argv[1])
nginx = [folder / "root/usr/sbin/nginx", "-p", folder, "-e", folder / "error"]
count = 2500
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
url = f"https://localhost:{port}/"
(folder / "conf").write_text(f"""daemon off; worker_processes 1; pid {folder}/pid; events {{ }}
http {{ log_format short "$request_method $status"; access_log {folder}/log short;
server {{ listen 127.0.0.1:{port} ssl http2;
ssl_certificate {folder}/own.pem; ssl_certificate_key {folder}/own.pem;
location / {{ return 200 "ok"; }} }} }}""")


def by(library):
    with library.Client(http2=True, verify=False) as client:
        for number in range(1, count + 1):
            try:
                yield client.post(url, content=b"").status_code
            except library.TransportError as error:
                print(f"{number}: {type(error).__name__}: {error}")
                yield None


def by_curl():
    end = subprocess.run(
        ["curl", "-sk", "-d", "", "-o", folder / "out", "-w",
         "%{http_code} %{http_version}\n", url + f"[1-{count}]"], capture_output=True, text=True)
    yield from (200 if line == "200 2" else None for line in end.stdout.splitlines())


def by_java():
    subprocess.run(["keytool", "-importcert", "-noprompt", "-alias", "own", "-file",
                    folder / "public", "-keystore", folder / "trust", "-storepass", "changeit"],
                   stderr=subprocess.DEVNULL)
    end = subprocess.run(
        ["java", f"-Djavax.net.ssl.trustStore={folder}/trust",
         "-Djavax.net.ssl.trustStorePassword=changeit", folder / "Client.java", url, str(count)],
        capture_output=True, text=True)
    for number, line in enumerate(end.stdout.splitlines(), 1):
        good = line == "200 HTTP_2"
        if not good and number % 1000 == 0: print(f"{number}: {line}")
        yield 200 if good else None


print(subprocess.run([nginx[0], "-v"], capture_output=True, text=True).stderr.strip(),
      "h2", version("h2"))
server = subprocess.Popen([*nginx, "-c", folder / "conf"])
seen = {}
try:
    time.sleep(1)
    clients = [("httpx", by(httpx)), ("httpx2", by(httpx2)), ("curl", by_curl())]
    if shutil.which("javac"):
        java = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
        print(java.splitlines()[0])
        if 'version "17.' in java:
            clients.append(("Java", by_java()))
    for name, ends in clients:
        (folder / "log").write_text("")
        ends = list(ends)
        time.sleep(0.5)
        logged = (folder / "log").read_text().count("POST 200")
        seen[name] = [number for number, end in enumerate(ends, 1) if end != 200], logged
        print(f"{name}: {len(ends)} sent, {len(seen[name][0])} failed,",
              f"nginx logged {logged} as 200")
finally:
    server.terminate()
    server.wait()
lost = ([1000, 2000], count)
if "Java" not in seen: print("no JDK 17 here: Java was not tried")
of_java = seen.pop("Java", lost)
raise SystemExit(seen != {"httpx": lost, "httpx2": lost, "curl": ([], count)}
                 or not set(of_java[0]) <= set(lost[0]) or of_java[1] != count)
PYTHON
"$folder/venv/bin/python" "$folder/try.py" "$folder"
