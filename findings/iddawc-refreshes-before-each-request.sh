#!/usr/bin/env bash
# iddawc 1.1.8 (C, Debian 12): told to refresh an expired token, it refreshes before each request.
#
# A token response with expires_in leaves the session's expires_at at 0, with a member expires_at
# beside it too. i_perform_resource_service_request with refresh_if_expired takes such a token for
# expired: n requests send n refreshes, however long a token lives.
#
# Expected below: tokens of an hour, ten requests at one moment, ten refreshes. Exits with 1 if that
# changes. The server is this script's own, on this machine. Needs Debian 12 on x86-64 with apt-get,
# cc and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=1.1.8-1
mkdir "$folder/packages" "$folder/root"
(cd "$folder/packages" && apt-get -q download libiddawc1.1=$version libiddawc-dev=$version \
    libulfius2.7 libulfius-dev liborcania2.3 liborcania-dev libyder2.0 libyder-dev librhonabwy1.1 \
    librhonabwy-dev libjansson4 libjansson-dev libmicrohttpd12 libmicrohttpd-dev libgnutls28-dev \
    libcurl3-gnutls libcurl4-gnutls-dev nettle-dev libgmp-dev >"$folder/apt.txt" 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/client.c" <<'C'
#include <iddawc.h>
#include <stdio.h>

int main(int count, char **words) {
    struct _i_session session;
    if (count < 3 || i_global_init() != I_OK || i_init_session(&session) != I_OK) return 2;
    i_set_parameter_list(
        &session, I_OPT_RESPONSE_TYPE, I_RESPONSE_TYPE_PASSWORD, I_OPT_TOKEN_ENDPOINT, words[1],
        I_OPT_CLIENT_ID, "client", I_OPT_USERNAME, "user", I_OPT_USER_PASSWORD, "password",
        I_OPT_NONE);
    if (i_run_token_request(&session) != I_OK) return 3;
    printf(
        "expires_in %u, expires_at %u\n", i_get_int_parameter(&session, I_OPT_EXPIRES_IN),
        i_get_int_parameter(&session, I_OPT_EXPIRES_AT));
    for (int i = 0; i < 10; i++) {
        struct _u_request request;
        struct _u_response response;
        ulfius_init_request(&request);
        ulfius_init_response(&response);
        ulfius_set_request_properties(
            &request, U_OPT_HTTP_VERB, "GET", U_OPT_HTTP_URL, words[2], U_OPT_NONE);
        if (i_perform_resource_service_request(
                &session, &request, &response, 1, I_BEARER_TYPE_HEADER, 0, 0) != I_OK
            || response.status != 200) return 4;
        ulfius_clean_request(&request);
        ulfius_clean_response(&response);
    }
    i_clean_session(&session);
    i_global_close();
    return 0;
}
C
usr="$folder/root/usr"
libraries="$usr/lib/x86_64-linux-gnu"
cc -o "$folder/client" "$folder/client.c" -I"$usr/include" -I"$usr/include/x86_64-linux-gnu" \
    -Wl,--allow-shlib-undefined "$libraries"/lib{iddawc,ulfius,orcania}.so
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, subprocess, sys, threading, urllib.parse

seen = {"password": 0, "refresh_token": 0, "call": 0}


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def say(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        seen["call"] += 1
        self.say({})

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        seen[form["grant_type"][0]] += 1
        number = seen["password"] + seen["refresh_token"]
        self.say({"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": 3600,
                  "refresh_token": f"refresh-{number}"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_address[1]}"
client, version, libraries = sys.argv[1:]
told = subprocess.run([client, address + "/token", address + "/posts"], check=True, timeout=60,
                      capture_output=True, text=True,
                      env=os.environ | {"LD_LIBRARY_PATH": libraries}).stdout.strip()
print(f"iddawc {version}: {told}: {seen['refresh_token']} refreshes for {seen['call']} requests")
expected = {"password": 1, "refresh_token": 10, "call": 10}
raise SystemExit(seen != expected)
PYTHON
python3 "$folder/try.py" "$folder/client" "$version" "$libraries"
