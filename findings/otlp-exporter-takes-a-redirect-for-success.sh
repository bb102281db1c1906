#!/bin/bash
# opentelemetry-exporter-otlp-proto-http 1.45.2 (Python): a redirect is a successful export, of
# nothing; and a server that asks for a pause of more than ten seconds loses the batch at once.
#
# The exporter does not follow redirects, and takes each status below 400 for success. A collector
# behind a proxy that signs people in answers 302 to a request whose token has ended; one that has
# moved to https answers 301 or 308. From then on nothing arrives and nothing is logged: the
# dashboards are empty, as on a quiet day. A 401 for the same is an error in the log. Retry-After is
# read and kept where it fits in the ten seconds that an export may take; where it does not, the
# batch is dropped after one request, and the message has time-out, retries and shutdown as causes,
# not the pause. The specification of OTLP has the client wait as told.
#
# Expected below, of an export of a span, a log record and a metric each: with 200 SUCCESS; with
# 301, 302, 307 and 308 SUCCESS, 1 request and no line in the log; with 401 FAILURE and a line. Of a
# span that is answered 429 first and then 200: with Retry-After: 1 SUCCESS after 2 requests, with
# Retry-After: 11 FAILURE after 1. Exits with 1 if that changes. The server is on this machine.
# Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile opentelemetry-exporter-otlp-proto-http==1.45.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, logging, threading
from importlib.metadata import version

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics.export import MetricsData
from opentelemetry.sdk.trace import TracerProvider

arrived, lines = [], []
span = TracerProvider().get_tracer("app").start_span("work")
span.end()


class Server(http.server.BaseHTTPRequestHandler):
    status, after, refusals = 200, None, 99

    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        arrived.append(self.path)
        self.send_response(self.status if len(arrived) <= self.refusals else 200)
        if 300 <= self.status < 400:
            self.send_header("Location", "/sign-in")
        if self.after:
            self.send_header("Retry-After", self.after)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Lines(logging.Handler):
    def emit(self, record): lines.append(record.getMessage())


logging.getLogger().addHandler(Lines())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/"


def export(kind):
    arrived.clear()
    lines.clear()
    batch = {OTLPSpanExporter: [span], OTLPLogExporter: [],
             OTLPMetricExporter: MetricsData([])}[kind]
    return kind(endpoint=address).export(batch).name, len(arrived), bool(lines)


print("opentelemetry-exporter-otlp-proto-http",
      version("opentelemetry-exporter-otlp-proto-http"))
changed = False
for Server.status, expected in (
    (200, ("SUCCESS", 1, False)), (301, ("SUCCESS", 1, False)), (302, ("SUCCESS", 1, False)),
    (307, ("SUCCESS", 1, False)), (308, ("SUCCESS", 1, False)), (401, ("FAILURE", 1, True)),
):
    seen = {export(kind) for kind in (OTLPSpanExporter, OTLPLogExporter, OTLPMetricExporter)}
    changed |= seen != {expected}
    print(f"{Server.status}:", *(f"{end} after {count} request, a line in the log: {has_line}"
                                 for end, count, has_line in seen))
Server.status, Server.refusals = 429, 1
for Server.after, expected in (("1", ("SUCCESS", 2)), ("11", ("FAILURE", 1))):
    seen = export(OTLPSpanExporter)[:2]
    changed |= seen != expected
    print(f"429, Retry-After: {Server.after}: {seen[0]} after {seen[1]} requests")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
