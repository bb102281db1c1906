"""Tests an app's refresh code in front of a real backend, through `squall serve --upstream`.

    python3 upstream.py > port &
    squall serve --upstream http://127.0.0.1:$(cat port) --port 8080 &
    python3 test_upstream.py http://localhost:8080 http://127.0.0.1:$(cat port)
    python3 test_upstream.py http://localhost:8080 http://127.0.0.1:$(cat port) --naive

First every kind of response is compared, byte for byte, with what the backend itself says.
"""
import http.client
import json
import os
import ssl
import sys
import threading
import urllib.parse

PROXY, DIRECT = sys.argv[1], sys.argv[2]
NAIVE = "--naive" in sys.argv


def send(base, method, path, headers=None, body=None):
    """Sends a request; returns its status, its fields and its body."""
    place = urllib.parse.urlsplit(base)
    if place.scheme == "https":
        trusted = ssl.create_default_context(
            cafile=os.path.join(os.path.dirname(__file__), "localhost.pem"))
        connection = http.client.HTTPSConnection(
            place.hostname, place.port, timeout=30, context=trusted)
    else:
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, response.getheaders(), data


def compare():
    """Byte equality with the backend itself."""
    own, real = (urllib.parse.urlsplit(base).netloc for base in (PROXY, DIRECT))
    for method, path, body in [
        ("GET", "/bytes", None), ("GET", "/gzip", None), ("GET", "/chunks", None),
        ("GET", "/empty", None), ("HEAD", "/bytes", None), ("GET", "/cookies", None),
        ("GET", "/redirect", None), ("GET", "/missing", None),
        ("POST", "/echo", b"\0\xff" * 700_000), ("POST", "/echo", b""),
    ]:
        through, direct = send(PROXY, method, path, body=body), send(DIRECT, method, path, body=body)
        fields = [[(name, value.replace("http://" + own, DIRECT).replace(" Domain=127.0.0.1;", ""))
                   for name, value in answer[1] if name != "Date"] for answer in (through, direct)]
        assert through[0] == direct[0], (method, path, through[0])
        assert through[2] == direct[2], (method, path, len(through[2]), len(direct[2]))
        assert sorted(fields[0]) == sorted(fields[1]), (method, path, fields)
    cookies = [value for name, value in send(PROXY, "GET", "/cookies")[1] if name == "Set-Cookie"]
    assert cookies == ["a=1; Path=/", "b=2; HttpOnly"], cookies
    seen = json.loads(send(PROXY, "GET", "/headers", {"X-Squall-User": "anna", "TE": "x"})[2])
    assert seen["Host"] == real and "TE" not in seen and "X-Squall-User" not in seen, seen


class Client:
    """Five screens that share one session."""

    def __init__(self):
        body = json.dumps({"email": "a@b.c", "password": "secret"})
        self.take(send(PROXY, "POST", "/auth/login", {"Content-Type": "application/json"}, body)[2])
        self.lock = threading.Lock()
        self.refused = []

    def take(self, body):
        made = json.loads(body)
        self.access, self.refresh = made["access_token"], made["refresh_token"]

    def read(self):
        used = self.access
        status, _, body = send(PROXY, "GET", "/posts", {"Authorization": "Bearer " + used})
        if status == 401:
            self.refused.append(body)
            self.renew(used)
            send(PROXY, "GET", "/posts", {"Authorization": "Bearer " + self.access})

    def renew(self, used):
        if NAIVE:
            return self.fetch()
        with self.lock:  # the second caller finds a new token
            if self.access == used:
                self.fetch()

    def fetch(self):
        body = json.dumps({"refresh_token": self.refresh})
        self.take(send(PROXY, "POST", "/auth/refresh", {"Content-Type": "application/json"}, body)[2])


def main():
    compare()
    # A token of no meaning: the proxy learns how the backend says so.
    send(PROXY, "GET", "/posts", {"Authorization": "Bearer garbage-token"})
    send(PROXY, "POST", "/_squall/reset")
    send(PROXY, "GET", "/posts", {"Authorization": "Bearer garbage-token"})
    client = Client()
    for _ in range(3):
        send(PROXY, "POST", "/_squall/expire")
        screens = [threading.Thread(target=client.read) for _ in range(5)]
        for screen in screens:
            screen.start()
        for screen in screens:
            screen.join()
        send(PROXY, "GET", "/_squall/quiet?for=200ms&timeout=10s")
    assert len(client.refused) >= 3 and set(client.refused) == {b'{"code":"TOKEN_EXPIRED"}'}
    status, _, body = send(PROXY, "GET", "/_squall/assert-none")
    found = json.loads(body)
    assert b"secret" not in body
    for finding in found["findings"]:
        print(finding["promise"], finding["user"], finding["text"])
    print("passed" if status == 200 else "failed: %d findings" % found["count"])
    return 0 if status == 200 else 1


sys.exit(main())
