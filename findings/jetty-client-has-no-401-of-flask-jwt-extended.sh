#!/bin/bash
# Jetty's HTTP client 9.4.57 (Java, Debian 12) and Flask-JWT-Extended 4.7.4: a token that has ended
# is an exception, "HTTP protocol violation", and no response of 401.
#
# A 401 has to name a scheme in WWW-Authenticate (RFC 9110, 15.5.2). This server, like many that
# speak JSON, sends none, and most clients do not look. Jetty's client has a handler for 401 in
# front of the app, for passwords; without the header it fails the exchange. So a client that
# refreshes when it sees status 401 sees none, and not the body that says "Token has expired": the
# call fails in an ExecutionException, as it does at a lost connection or a time-out, and code that
# repeats those sends the ended token again. Against a test server that sends the header, as those
# of other frameworks do, nothing shows. The server can add it in expired_token_loader; the client
# hands 401 to the app if its getProtocolHandlers() are cleared, with those for redirects.
#
# Expected below, for a token that has ended: HttpResponseException, 401 with the handlers cleared,
# 401 where the server sends WWW-Authenticate: Bearer; with a good token 200. Exits with 1 if that
# changes. The server is on this machine; needs Debian 12 with apt-get, a Java development kit of 17
# or later, python3 and PyPI; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download libjetty9-java=9.4.57-1.1~deb12u1 \
    libjetty9-extra-java=9.4.57-1.1~deb12u1 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Flask-JWT-Extended==4.7.4 Flask==3.1.3 PyJWT==2.15.1
cat >"$folder/Try.java" <<'JAVA'
import org.eclipse.jetty.client.HttpClient;

public class Try {
    public static void main(String[] arguments) throws Exception {
        for (boolean handles : new boolean[] {true, false}) {
            HttpClient client = new HttpClient();
            client.start();
            if (!handles) client.getProtocolHandlers().clear();
            try {
                System.out.println(client.newRequest(arguments[0])
                    .header("Authorization", "Bearer " + arguments[1]).send().getStatus());
            } catch (java.util.concurrent.ExecutionException error) {
                System.out.println(error.getCause().getClass().getSimpleName());
            }
            client.stop();
        }
        System.exit(0);
    }
}
JAVA
cat >"$folder/try.py" <<'PYTHON'
import datetime, pathlib, subprocess, sys, threading, wsgiref.simple_server
from importlib.metadata import version

import flask
from flask_jwt_extended import JWTManager, create_access_token, jwt_required

folder = pathlib.Path(sys.argv[1])
jars = folder / "root/usr/share/java"
path = ":".join(str(jars / f"jetty9-{name}.jar") for name in ("client", "http", "io", "util"))
app = flask.Flask("api")
app.config["JWT_SECRET_KEY"] = "k" * 40
JWTManager(app)
app.get("/")(jwt_required()(lambda: "ok"))


@app.get("/header")
@jwt_required()
def with_header(): return "ok"


@app.after_request
def add(response):
    if flask.request.path == "/header" and response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


class Handler(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_): pass


server = wsgiref.simple_server.make_server("127.0.0.1", 0, app, handler_class=Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with app.app_context():
    good, ended = (create_access_token("ada", expires_delta=datetime.timedelta(seconds=seconds))
                   for seconds in (600, -5))
print("Flask-JWT-Extended", version("Flask-JWT-Extended"))
seen = []
for name, token, address in (("good", good, "/"), ("ended", ended, "/"),
                             ("ended, with a header", ended, "/header")):
    seen.append(subprocess.run(
        ["java", "-cp", path, folder / "Try.java",
         f"http://127.0.0.1:{server.server_port}{address}", token],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120).stdout.split())
    print(f"{name}: {seen[-1][0]}, handlers cleared {seen[-1][1]}")
raise SystemExit(seen != [["200", "200"], ["HttpResponseException", "401"], ["401", "401"]])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
