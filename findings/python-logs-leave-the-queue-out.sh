#!/usr/bin/env bash
# Five users at once wait 1, 2, 3, 4 and 5 s; in the logs of gunicorn 27.0.1, granian 2.8.9,
# pyuwsgi 2.0.30 and sanic 25.12.1 each of their requests took 1 s.
#
# What these servers log as the time of a request begins when the worker takes it up. The wait for
# the worker is in no field of the line, not even with granian, which has accepted and read the
# request by then. So the log of a server at its limit has flat durations: p99 is 1 s there and 5 s
# for the users, a threshold on it never trips, and a model of the server that is fitted to it has
# no queue. A log of nginx in front would have 1 to 5 s, for the same requests.
#
# Expected below, of five GETs at one moment, each with 1 s of work in the one worker: the slowest
# user waits more than 4.5 s, and the longest duration in the log is less than 2 s. Exits with 1 if
# that changes. The servers run on this machine; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile gunicorn==27.0.1 granian==2.8.9 \
    pyuwsgi==2.0.30.post1 sanic==25.12.1
cd "$folder"
cat >app.py <<'PYTHON'
import sys, time


def wsgi(environ, start):
    time.sleep(1)
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]


if __name__ == "__main__":
    from sanic import Sanic, text

    app = Sanic("app")

    @app.get("/work")
    async def work(request):
        time.sleep(1)
        return text("ok")

    app.run("127.0.0.1", int(sys.argv[1]), single_process=True, access_log=True, motd=False)
PYTHON
cat >try.py <<'PYTHON'
import os, re, socket, subprocess, sys, time, urllib.request
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

bin, host = os.path.dirname(sys.executable) + "/", "127.0.0.1"
# The command, what stands before the duration in a line of the log, and how many make a second.
servers = {
    "gunicorn": (["gunicorn", "-b{host}:{port}", "--access-logfile=-", "--access-logformat",
                  "%(r)s took %(L)s", "app:wsgi"], "took ", 1),
    "granian": (["granian", "--interface=wsgi", "--blocking-threads=1", "--port={port}",
                 "--access-log", "app:wsgi"], '" 200 ', 1000),
    "pyuwsgi": (["pyuwsgi", "--http-socket={host}:{port}", "--module=app:wsgi", "--master",
                 "--die-on-term"], "bytes in ", 1000),
    "sanic": (["python", "app.py", "{port}"], "200 2 +", 1000),
}


def play(name):
    command, before, second = servers[name]
    with socket.create_server((host, 0)) as free:
        port = free.getsockname()[1]
    words = [word.format(host=host, port=port) for word in command]
    with open(name, "w") as out:
        server = subprocess.Popen(
            [bin + words[0], *words[1:]], stdout=out, stderr=subprocess.STDOUT)

    def ask(_):
        began = time.monotonic()
        urllib.request.urlopen(f"http://{host}:{port}/work", timeout=60).read()
        return time.monotonic() - began

    try:
        for _ in range(300):
            try:
                socket.create_connection((host, port)).close()
                break
            except OSError: time.sleep(0.2)
        time.sleep(2)
        with ThreadPoolExecutor(5) as users:
            waited = sorted(users.map(ask, range(5)))
        time.sleep(1)
    finally:
        server.terminate()
        server.wait()
    lines = [line for line in open(name) if "/work" in line]
    logged = sorted(float(re.search(before + r"([\d.]+)", line)[1]) / second for line in lines)
    for what, times in (("users waited", waited), ("logged", logged)):
        print(f"{name} {version(name)}: {what}", *(f"{time:.1f}" for time in times))
    return len(logged) == 5 and waited[-1] > 4.5 and logged[-1] < 2


good = [play(name) for name in servers]
raise SystemExit(0 if all(good) else 1)
PYTHON
"$folder/venv/bin/python" try.py
