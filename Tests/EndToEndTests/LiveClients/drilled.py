"""A right client for every drill in virtual time: it stores its tokens, and takes its time.

    squall serve quick --virtual --drill -- python3 drilled.py
"""
import http.client
import json
import os
import threading
import time
import urllib.parse

HOST = urllib.parse.urlsplit(os.environ["SQUALL_URL"]).netloc
KEY = {"SesacKey": "scrolly-key", "Content-Type": "application/json"}
STORE = "tokens-%s.json" % os.environ["SQUALL_DRILL"]
LOCK = threading.Lock()
tokens = json.load(open(STORE)) if os.path.exists(STORE) else None
rests_until = 0


def send(method, path, headers=None, body=None):
    """Sends a request; returns its status, 0 for none, and its body, read as JSON."""
    global rests_until
    connection = http.client.HTTPConnection(HOST, timeout=30)
    try:
        connection.request(
            method, path, body and json.dumps(body), {**KEY, **(headers or {})})
        response = connection.getresponse()
        answer = response.read()
        if response.status in (429, 503):
            span = float(response.getheader("Retry-After") or 5)
            rests_until = max(rests_until, time.monotonic() + span)
        return response.status, json.loads(answer)
    except (OSError, ValueError, http.client.HTTPException):
        return 0, None
    finally:
        connection.close()


def store(new):
    global tokens
    tokens = new and {**(tokens or {}), **new}
    with open(STORE + ".new", "w") as file:
        json.dump(tokens, file)
    os.replace(STORE + ".new", STORE)


def refresh(used):
    """Leaves a token that nobody refused since; one call refreshes for all that wait."""
    global rests_until
    with LOCK:
        if tokens is not used or time.monotonic() < rests_until:
            return
        status, new = send("GET", "/v1/auth/refresh", {
            "Authorization": used["accessToken"], "Refresh": used["refreshToken"]})
        if status == 200 and new and "accessToken" in new:
            store(new)
        elif status == 418:  # the session is over
            store(None)
        else:
            rests_until = max(rests_until, time.monotonic() + 5)


def read():
    for attempt in range(2):
        used = tokens
        if not used or time.monotonic() < rests_until:
            return
        status, _ = send("GET", "/v1/posts?limit=5", {"Authorization": used["accessToken"]})
        if status != 419 or attempt > 0:  # expired, once
            return
        refresh(used)


while True:
    if not tokens and time.monotonic() >= rests_until:
        account = send("GET", "/_squall/accounts")[1]["accounts"][0]
        status, new = send("POST", "/v1/users/login", body=account)
        if status == 200 and new:
            store(new)
    screens = [threading.Thread(target=read) for _ in range(4)]
    for screen in screens:
        screen.start()
    for screen in screens:
        screen.join()
    time.sleep(3)
