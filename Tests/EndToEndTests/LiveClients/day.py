"""A day of a client in virtual time: four calls at once every five minutes, tokens of an hour.

    squall serve quick --expire-after 1h --set backend.tokens.refreshLifetime=14d --virtual -- \\
        python3 day.py            # one refresh an hour; with --naive each refused call refreshes
"""
import http.client
import json
import os
import sys
import threading
import time
import urllib.parse

HOST = urllib.parse.urlsplit(os.environ["SQUALL_URL"]).netloc
KEY = {"SesacKey": "scrolly-key", "Content-Type": "application/json"}
NAIVE = "--naive" in sys.argv
HOURS = 24
LOCK = threading.Lock()
counts = {"calls": 0, "refreshes": 0, "failed": 0}


def send(method, path, headers=None, body=None):
    connection = http.client.HTTPConnection(HOST, timeout=30)
    connection.request(
        method, path, None if body is None else json.dumps(body), {**KEY, **(headers or {})})
    response = connection.getresponse()
    answer = json.loads(response.read() or b"null")
    connection.close()
    return response.status, answer


account = send("GET", "/_squall/accounts")[1]["accounts"][0]
tokens = send("POST", "/v1/users/login", body=account)[1]


def refresh(used):
    counts["refreshes"] += 1
    status, new = send("GET", "/v1/auth/refresh", {
        "Authorization": used, "Refresh": tokens["refreshToken"]})
    if status == 200:
        tokens.update(new)


def read():
    counts["calls"] += 1
    used = tokens["accessToken"]
    status, _ = send("GET", "/v1/posts?limit=5", {"Authorization": used})
    if status == 419:
        if NAIVE:
            refresh(used)
        else:
            with LOCK:
                if tokens["accessToken"] == used:
                    refresh(used)
        status, _ = send("GET", "/v1/posts?limit=5", {"Authorization": tokens["accessToken"]})
    if status != 200:
        counts["failed"] += 1


def screen(end):
    while time.time() < end:
        read()
        time.sleep(300)


began = time.time()
screens = [threading.Thread(target=screen, args=(began + HOURS * 3600,)) for _ in range(4)]
for each in screens:
    each.start()
for each in screens:
    each.join()
print(json.dumps({**counts, "hours": round((time.time() - began) / 3600)}))
