#!/usr/bin/env bash
# gunicorn 27.0.1, hypercorn 0.18.0, waitress 3.0.2 with paste 3.10.1, aiohttp 3.14.5, CherryPy
# 18.10.0, granian 2.8.9, Twisted 26.10.0: one line, two meanings of its time.
#
# All write the combined or common form, `[29/Nov/2026:11:48:48 +0000]`, or one like it, and none
# says what the time is that of. Apache's manual says "time the request was received" of %t; nginx'
# $time_local is that of the end. A pause between two requests of a user, a rate in the minutes after
# a stall, and which of two logs' lines came first depend on it: with a call of 3 s by 3 s.
#
# Expected below, for one call of 3 s to each server: which of them write the time when it came.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install gunicorn==27.0.1 hypercorn==0.18.0 waitress==3.0.2 paste==3.10.1 \
  aiohttp==3.14.5 CherryPy==18.10.0 granian==2.8.9 Twisted==26.10.0
cd "$folder"
cat >app.py <<'PYTHON'
import asyncio, logging, sys, time


def wsgi(environ, start):
    time.sleep(3)
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]


async def asgi(scope, receive, send):
    if scope["type"] != "http": return
    await asyncio.sleep(3)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


if __name__ == "__main__":
    name, port = sys.argv[1], int(sys.argv[2])
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
    if name == "waitress":
        import waitress
        from paste.translogger import TransLogger
        waitress.serve(TransLogger(wsgi, setup_console_handler=False), host="127.0.0.1", port=port)
    elif name == "aiohttp":
        from aiohttp import web

        async def handle(_):
            await asyncio.sleep(3)
            return web.Response(text="ok")

        app = web.Application()
        app.router.add_get("/a", handle)
        web.run_app(app, host="127.0.0.1", port=port, print=None)
    elif name == "CherryPy":
        import cherrypy
        class Root:
            @cherrypy.expose
            def a(self):
                time.sleep(3)
                return "ok"

        cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": port})
        cherrypy.quickstart(Root())
    elif name == "Twisted":
        from twisted.internet import reactor
        from twisted.web import resource, server

        class Slow(resource.Resource):
            isLeaf = True

            def render_GET(self, request):
                reactor.callLater(3, lambda: (request.write(b"ok"), request.finish()))
                return server.NOT_DONE_YET

        reactor.listenTCP(port, server.Site(Slow(), logPath=b"twisted.log"), interface="127.0.0.1")
        reactor.run()
PYTHON
cat >try.py <<'PYTHON'
import datetime, os, re, socket, subprocess, sys, time, urllib.request

bin = os.path.dirname(sys.executable) + "/"
own = [sys.executable, "app.py"]
servers = {
    "gunicorn": lambda p: [bin + "gunicorn", "-b", f"127.0.0.1:{p}", "--access-logfile", "-", "app:wsgi"],
    "hypercorn": lambda p: [bin + "hypercorn", "-b", f"127.0.0.1:{p}", "--access-logfile", "-", "app:asgi"],
    "granian": lambda p: [bin + "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(p),
                          "--access-log", "app:asgi"],
    **{name: (lambda p, name=name: own + [name, str(p)]) for name in ["waitress", "aiohttp", "CherryPy", "Twisted"]},
}
expected = {"gunicorn": "end", "hypercorn": "end", "granian": "begin", "waitress": "begin", "aiohttp": "begin",
            "CherryPy": "end", "Twisted": "end"}


def moment(text):
    for form in ["%d/%b/%Y:%H:%M:%S %z", "%Y-%m-%d %H:%M:%S %z", "%d/%b/%Y:%H:%M:%S"]:
        try:
            found = datetime.datetime.strptime(text, form)
        except ValueError:
            continue
        return (found if found.tzinfo else found.astimezone()).timestamp()


seen = {}
for name, command in servers.items():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(name + ".out", "w") as out:
        server = subprocess.Popen(command(port), stdout=out, stderr=subprocess.STDOUT)
    try:
        for _ in range(150):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError: time.sleep(0.2)
        time.sleep(0.5)
        sent = time.time()
        urllib.request.urlopen(f"http://127.0.0.1:{port}/a", timeout=30).read()
        time.sleep(1)
    finally:
        server.terminate()
        server.wait()
    text = "".join(open(f).read() for f in [name + ".out", name.lower() + ".log"] if os.path.exists(f))
    line = next(line for line in text.splitlines() if "GET /a" in line)
    times = [moment(part) for part in re.findall(r"\[([^\]]+)\]", line)]
    late = next(t for t in reversed(times) if t) - sent
    seen[name] = "end" if late > 1.5 else "begin"
    print(f"{name:10} the time is {late:4.1f} s after the request: that of its {seen[name]}")
if seen != expected: sys.exit(f"expected {expected}")
PYTHON
"$folder/venv/bin/python" try.py
