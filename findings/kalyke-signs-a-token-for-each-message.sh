#!/bin/bash
# kalyke-apns 1.5.0 (push messages to Apple's devices): each message has a connection and a token of
# its own; 40 messages to one app are 40 TLS handshakes and 40 different tokens.
#
# send_message() makes a client, reads the key from its file, signs a token, opens a connection of
# HTTP/2, sends one request on it and closes it. A test with one message is well; of a campaign
# each message pays for it. The package has an exception of its own for Apple's refusal of tokens
# that are renewed too often, TooManyProviderTokenUpdates; nothing in it says that the package itself
# renews them, there is no option for it, and who retries makes another token. Apple's limits are not
# tried here. The handshake's round trips come to each message's time. aioapns 4.0 keeps its
# token for half an hour.
#
# Expected below, of 40 messages one after the other: with kalyke 40 connections and 40 tokens; of
# aioapns, asked for 40 headers, 1 token. Exits with 1 if that changes. The server is in the
# process; needs openssl, python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 2>/dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$folder/apns.p8" 2>/dev/null
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile kalyke-apns==1.5.0 aioapns==4.0 httpx2==2.16.2 \
    h2==4.4.1 PyJWT==2.15.1 cryptography==50.0.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, os, ssl, sys, uuid
from importlib.metadata import version

folder = sys.argv[1]
os.environ["SSL_CERT_FILE"] = folder + "/cert.pem"
import h2.config, h2.connection, h2.events
from aioapns.connection import JWTAuthorizationHeaderProvider
from kalyke import ApnsClient, ApnsConfig

connections, tokens = [], []


class Apple(asyncio.Protocol):
    """Takes each message."""

    def connection_made(self, transport):
        self.transport = transport
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.http.initiate_connection()
        connections.append(self)
        transport.write(self.http.data_to_send())

    def data_received(self, data):
        for event in self.http.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                tokens.append(dict(event.headers)[b"authorization"])
            elif isinstance(event, h2.events.StreamEnded):
                self.http.send_headers(event.stream_id, [
                    (":status", "200"), ("apns-id", str(uuid.uuid4()))], end_stream=True)
        self.transport.write(self.http.data_to_send())


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Apple, "localhost", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]

    class Local(ApnsClient):
        _base_url = f"https://localhost:{port}"

    kalyke = Local(use_sandbox=True, team_id="TEAM", auth_key_id="KEY",
                   auth_key_filepath=folder + "/apns.p8")
    for _ in range(40):
        await kalyke.send_message("a" * 64, {"aps": {"alert": "hello"}}, ApnsConfig("app"))
    server.close()
    print(f"kalyke-apns {version('kalyke-apns')}: {len(tokens)} messages,",
          f"{len(connections)} connections, {len(set(tokens))} tokens")
    return len(tokens), len(connections), len(set(tokens))


seen = asyncio.run(main())
with open(folder + "/apns.p8") as key:
    provider = JWTAuthorizationHeaderProvider(key.read(), "KEY", "TEAM")
others = {provider.get_header() for _ in range(40)}
print(f"aioapns {version('aioapns')}: {len(others)} token for 40 messages")
raise SystemExit((*seen, len(others)) != (40, 40, 40, 1))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
