#!/usr/bin/env bash
# A client leaves after one second of three; what seven Python servers log of its request.
#
# uvicorn 0.54.0 and Twisted 26.10.0 write no line: a log that is read for slow calls has lost just
# those that were too slow for their clients. gunicorn 27.0.1, granian 2.8.9, waitress 3.0.2 with
# paste 3.10.1 and aiohttp 3.14.5 write status 200, as if the response had arrived. hypercorn 0.18.0
# writes two lines, one without a status and one with 200: who counts its lines counts the request
# twice. nginx has 499 for it. So the same time-outs show as a service without slow calls, as one
# without failures, or as more traffic, by the server that wrote the log.
#
# Expected below, for a request whose client leaves and for one whose client stays: the statuses
# that are logged. Exits with 1 if that changes. The servers run on this machine; needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile gunicorn==27.0.1 uvicorn==0.54.0 hypercorn==0.18.0 \
    granian==2.8.9 waitress==3.0.2 paste==3.10.1 aiohttp==3.14.5 Twisted==26.10.0
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
    length = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": length})
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

        async def slow(_):
            await asyncio.sleep(3)
            return web.Response(text="ok")

        app = web.Application()
        app.router.add_get("/{name}", slow)
        web.run_app(app, host="127.0.0.1", port=port, print=None)
    else:
        from twisted.internet import reactor
        from twisted.web import resource, server

        class Slow(resource.Resource):
            isLeaf = True

            def render_GET(self, request):
                def finish():
                    request.write(b"ok")
                    request.finish()

                ends = reactor.callLater(3, finish)
                request.notifyFinish().addErrback(lambda _: ends.cancel())
                return server.NOT_DONE_YET

        reactor.listenTCP(port, server.Site(Slow(), logPath=b"Twisted.log"), interface="127.0.0.1")
        reactor.run()
PYTHON
cat >try.py <<'PYTHON'
import os, re, socket, subprocess, sys, time, urllib.request
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

bin, host = os.path.dirname(sys.executable) + "/", "127.0.0.1"
commands = {
    "gunicorn": ["gunicorn", "--threads=2", "-b{host}:{port}", "--access-logfile=-", "app:wsgi"],
    "granian": ["granian", "--interface=asgi", "--port={port}", "--access-log", "app:asgi"],
    "waitress": ["python", "app.py", "waitress", "{port}"],
    "aiohttp": ["python", "app.py", "aiohttp", "{port}"],
    "hypercorn": ["hypercorn", "-b{host}:{port}", "--access-logfile=-", "app:asgi"],
    "uvicorn": ["uvicorn", "--port={port}", "app:asgi"],
    "Twisted": ["python", "app.py", "Twisted", "{port}"],
}


def play(name):
    with socket.create_server((host, 0)) as free:
        port = free.getsockname()[1]
    words = [word.format(host=host, port=port) for word in commands[name]]
    with open(name + ".out", "w") as out:
        server = subprocess.Popen(
            [bin + words[0], *words[1:]], stdout=out, stderr=subprocess.STDOUT)
    try:
        for _ in range(300):
            try:
                socket.create_connection((host, port)).close()
                break
            except OSError: time.sleep(0.2)
        with socket.create_connection((host, port)) as leaving:
            leaving.sendall(b"GET /leaves HTTP/1.1\r\nHost: localhost\r\n\r\n")
            time.sleep(1)
        time.sleep(4)
        urllib.request.urlopen(f"http://{host}:{port}/stays", timeout=30).read()
        time.sleep(1)
    finally:
        server.terminate()
        server.wait()
    text = "".join(open(f).read() for f in (name + ".out", name + ".log") if os.path.exists(f))
    return [re.findall(rf"/{path} [^\"]*\" (\S+)", text) for path in ("leaves", "stays")]


with ThreadPoolExecutor(len(commands)) as pool:
    seen = dict(zip(commands, pool.map(play, commands)))
for name, (leaves, stays) in seen.items():
    print(f"{name} {version(name)}: leaves {leaves}, stays {stays}")
good = ["200"]
raise SystemExit(seen != {
    **{name: [good, good] for name in ("gunicorn", "granian", "waitress", "aiohttp")},
    "hypercorn": [["-", "200"], good], "uvicorn": [[], good], "Twisted": [[], good]})
PYTHON
"$folder/venv/bin/python" try.py
