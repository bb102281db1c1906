"""Sends each request in two small packets on one connection; says how long the slowest took."""
import os, socket, time, urllib.parse

address = urllib.parse.urlparse(os.environ["SQUALL_URL"])
connection = socket.create_connection((address.hostname, address.port), 10)
slowest = 0
for _ in range(20):
    began = time.monotonic()
    connection.sendall(b"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n")
    connection.sendall(b"{}")
    head, _, body = connection.recv(65536).partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)
    slowest = max(slowest, time.monotonic() - began)
    time.sleep(60)
print("slowest", slowest)
