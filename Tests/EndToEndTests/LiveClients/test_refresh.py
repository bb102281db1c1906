"""Tests an app's refresh code against `squall serve quick`: one refresh for each expiry.

    squall serve quick --port 8080 &
    python3 test_refresh.py http://localhost:8080            # a right client: passes
    python3 test_refresh.py http://localhost:8080 --naive    # each refused call refreshes: fails

The client below stands for yours. The test does four things, all by the control API under
/_squall/: reset, expire every token while the app is in use, wait until quiet, assert no finding.
"""
import json
import sys
import threading
import urllib.error
import urllib.request

BASE = sys.argv[1]
NAIVE = "--naive" in sys.argv
KEY = {"SesacKey": "scrolly-key"}


def send(method, path, headers=None, body=None):
    """Sends a request; returns its status and its body, read as JSON."""
    request = urllib.request.Request(
        BASE + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={**KEY, "Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


class Client:
    """Five screens that share one session."""

    def __init__(self, account):
        _, tokens = send("POST", "/v1/users/login", body=account)
        self.access, self.refresh = tokens["accessToken"], tokens["refreshToken"]
        self.lock = threading.Lock()

    def read(self):
        used = self.access
        status, _ = send("GET", "/v1/posts?limit=5", {"Authorization": used})
        if status == 419:  # expired
            self.renew(used)
            status, _ = send("GET", "/v1/posts?limit=5", {"Authorization": self.access})
        return status

    def renew(self, used):
        if NAIVE:
            self.fetch(used)
            return
        with self.lock:  # the second caller finds a new token
            if self.access == used:
                self.fetch(used)

    def fetch(self, used):
        status, tokens = send(
            "GET", "/v1/auth/refresh", {"Authorization": used, "Refresh": self.refresh})
        if status == 200:
            self.access = tokens["accessToken"]
            self.refresh = tokens.get("refreshToken", self.refresh)


def main():
    send("POST", "/_squall/reset")
    client = Client(send("GET", "/_squall/accounts")[1]["accounts"][0])
    for _ in range(3):
        send("POST", "/_squall/expire")
        screens = [threading.Thread(target=client.read) for _ in range(5)]
        for screen in screens:
            screen.start()
        for screen in screens:
            screen.join()
        send("GET", "/_squall/quiet?for=200ms&timeout=10s")
    status, found = send("GET", "/_squall/assert-none")
    for finding in found["findings"]:
        print(finding["promise"], finding["user"], finding["text"])
    print("passed" if status == 200 else "failed: %d findings" % found["count"])
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
