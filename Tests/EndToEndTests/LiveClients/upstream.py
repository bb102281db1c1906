"""A small real backend for the tests of `squall serve --upstream`, on a free port that it prints.

It signs in, refreshes with rotation, and says bytes of several kinds back. Its tokens never expire:
only the proxy lets them. With a PEM file of a certificate and its key it speaks https.
"""
import gzip
import http.server
import itertools
import json
import os
import ssl
import sys
import threading

COUNT = itertools.count(1)
ACCESS, REFRESH = set(), set()
LOCK = threading.Lock()
SCHEME = "https" if len(sys.argv) > 1 else "http"
BYTES = bytes(range(256)) * 4096


def tokens():
    number = next(COUNT)
    made = {"access_token": "access-%06d-secret" % number, "expires_in": 3600,
            "refresh_token": "refresh-%06d-secret" % number}
    ACCESS.add(made["access_token"])
    REFRESH.add(made["refresh_token"])
    return made


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, status, body=b"", fields=(("Content-Type", "application/json"),)):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self):
        if self.path == "/bytes":
            self.say(200, BYTES, (("Content-Type", "application/octet-stream"), ("ETag", '"x-Y"')))
        elif self.path == "/gzip":
            self.say(200, gzip.compress(b"text " * 999, mtime=0), (("Content-Encoding", "gzip"),))
        elif self.path == "/chunks":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for size in (1, 70000, 3, 300000):
                self.wfile.write(b"%x\r\n%s\r\n" % (size, BYTES[:size]))
            self.wfile.write(b"0\r\n\r\n")
        elif self.path == "/cookies":
            self.say(200, b"{}", (("Set-Cookie", "a=1; Domain=127.0.0.1; Path=/"),
                                  ("Set-Cookie", "b=2; HttpOnly")))
        elif self.path == "/redirect":
            self.say(302, b"", (("Location", "%s://%s/bytes?x=1" % (SCHEME, self.headers["Host"])),))
        elif self.path == "/empty":
            self.say(204)
        elif self.path == "/headers":
            self.say(200, json.dumps(dict(self.headers.items())).encode())
        elif self.headers.get("Authorization", "").removeprefix("Bearer ") not in ACCESS:
            self.say(401, b'{"code":"TOKEN_EXPIRED"}')
        else:
            self.say(200, b'{"items":[1,2,3]}')

    do_HEAD = do_GET

    def do_POST(self):
        body = self.body()
        if self.path == "/echo":
            return self.say(200, body, (("Content-Type", "application/octet-stream"),))
        asked = json.loads(body or b"{}")
        with LOCK:
            if self.path == "/auth/login":
                self.say(200, json.dumps(tokens()).encode())
            elif asked.get("refresh_token") in REFRESH:
                self.say(200, json.dumps(tokens()).encode())
            else:
                self.say(401, b'{"code":"SIGNED_OUT"}')


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1])
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()
