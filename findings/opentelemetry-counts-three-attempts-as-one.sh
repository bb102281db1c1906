#!/usr/bin/env bash
# OpenTelemetry 0.66b1 for Python: three attempts are one request of 200 with requests and urllib3.
#
# The semantic conventions ask for a span for each physical request, with
# http.request.resend_count, and none for the whole. The instrumentations of requests and urllib3
# wrap the call in which urllib3 retries: answered 503, 503, 200 it is one span and one measurement
# with status 200, whose duration holds the pauses of the retrier. So the metrics of the client show
# no error and a third of the load that the server has, and a retry storm looks like slow responses.
# Those of httpx and aiohttp sit below the retriers and tell each attempt.
#
# Expected below, for a GET that is answered 503 twice and has a pause of 1 s before its third
# attempt: the statuses that spans and http.client.request.duration know, and whether the longest of
# them holds the pause. Exits with 1 if that changes. The server is on this machine; needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile opentelemetry-sdk==1.45.1 requests==2.34.2 \
    opentelemetry-instrumentation-requests==0.66b1 opentelemetry-instrumentation-urllib3==0.66b1 \
    opentelemetry-instrumentation-httpx==0.66b1 urllib3==2.8.0 httpx==0.28.1 httpx-retries==0.6.0 \
    opentelemetry-instrumentation-aiohttp-client==0.66b1 aiohttp==3.14.5 aiohttp-retry==2.9.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.server, os, threading
from importlib.metadata import version

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "http"
import aiohttp, aiohttp_retry, httpx, httpx_retries, requests, urllib3
from opentelemetry.instrumentation.aiohttp_client import AioHttpClientInstrumentor
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.instrumentation.requests import RequestsInstrumentor
from opentelemetry.instrumentation.urllib3 import URLLib3Instrumentor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Server(http.server.BaseHTTPRequestHandler):
    arrivals = 0

    def do_GET(self):
        Server.arrivals += 1
        self.send_response(200 if Server.arrivals == 3 else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
again = urllib3.Retry(5, backoff_factor=0.5, status_forcelist=[503])


def by_urllib3():
    urllib3.PoolManager(retries=again).request("GET", url)


def by_requests():
    session = requests.Session()
    session.mount("http://", requests.adapters.HTTPAdapter(max_retries=again))
    session.get(url)


def by_httpx():
    retry = httpx_retries.Retry(total=5, backoff_factor=0.5, backoff_jitter=0)
    httpx.Client(transport=httpx_retries.RetryTransport(retry=retry)).get(url)


def by_aiohttp():
    async def send():
        options = aiohttp_retry.ListRetry([0.1, 1, 1], statuses={503})
        async with aiohttp_retry.RetryClient(retry_options=options) as client:
            await client.get(url)
    asyncio.run(send())


seen = {}
for send, instrumentor in ((by_urllib3, URLLib3Instrumentor), (by_requests, RequestsInstrumentor),
                           (by_httpx, HTTPXClientInstrumentor),
                           (by_aiohttp, AioHttpClientInstrumentor)):
    spans, metrics, Server.arrivals = InMemorySpanExporter(), InMemoryMetricReader(), 0
    traces = TracerProvider()
    traces.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor().instrument(tracer_provider=traces, meter_provider=MeterProvider([metrics]))
    send()
    instrumentor().uninstrument()
    name = send.__name__.removeprefix("by_")
    traced = [span.attributes["http.response.status_code"] for span in spans.get_finished_spans()]
    measured = {}
    for metric in metrics.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics:
        if metric.name == "http.client.request.duration":
            for point in metric.data.data_points:
                status = point.attributes["http.response.status_code"]
                measured[status] = point.count, point.max > 0.9
    print(f"{name} {version(name)}: {Server.arrivals} arrived, spans {traced}, durations",
          {status: f"{n}{' with the pause' * long}" for status, (n, long) in measured.items()})
    seen[name] = Server.arrivals, traced, measured
one = (3, [200], {200: (1, True)})
each = (3, [503, 503, 200], {503: (2, False), 200: (1, False)})
raise SystemExit(seen != {"urllib3": one, "requests": one, "httpx": each, "aiohttp": each})
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
