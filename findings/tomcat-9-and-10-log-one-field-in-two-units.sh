#!/bin/bash
# Tomcat 9.0.70 and 10.1.60 (Debian 12): %D of the access log is milliseconds in the one and
# microseconds in the other; read as the other's, an API is a thousand times as fast, or as slow.
#
# One server.xml goes for both. Apache writes microseconds for %D, so what reads logs takes it for
# that: GoAccess 1.7 says of a request of a second and a half that it took one and a half
# milliseconds, if Tomcat 9 served it. After the upgrade to 10 the dashboard, with thresholds that
# were set by its numbers, shows an outage; where it was told of the milliseconds each request is a
# thousand times as long as it was. During an upgrade both write to one place, and a line does not
# say which wrote it. %T changes the other way: seconds with three decimals in 9, whole ones in 10.
# In 10 %{ms}T is what %D was.
#
# Expected below, of a response of 64 MB that its client begins to read after 1.5 s: %D is 1,000 to
# 9,000 with Tomcat 9, and 1,000,000 to 9,000,000 with Tomcat 10; GoAccess, told %D, has 1 to 9 ms
# for the first and 1 to 9 s for the second. Exits with 1 if that changes. Needs Debian 12 with
# apt-get, python3 and a Java runtime of 17; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download libtomcat9-java=9.0.70-2 libtomcat10-java=10.1.60-1~deb12u1 \
    goaccess=1:1.7-1 libmaxminddb0 >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.py" <<'PYTHON'
import json, os, pathlib, socket, subprocess, sys, time

folder = pathlib.Path(sys.argv[1])
root = folder / "root/usr"
FORMAT = "%h %t \"%r\" %s %b %D %T"


def get(port, path, wait):
    for _ in range(600):
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                time.sleep(wait)
                while connection.recv(1 << 20): pass
                return
        time.sleep(0.1)


def play(number):
    """One request whose client waits before it reads; the line that Tomcat writes of it."""
    base = folder / number
    for name in ("conf", "logs", "temp", "work", "webapps/ROOT"):
        (base / name).mkdir(parents=True)
    with open(base / "webapps/ROOT/large.bin", "wb") as file:
        file.truncate(64 << 20)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (base / "conf/web.xml").write_text("""<web-app>
<servlet><servlet-name>default</servlet-name>
<servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
<init-param><param-name>sendfileSize</param-name><param-value>-1</param-value></init-param>
</servlet>
<servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
</web-app>""")
    (base / "conf/server.xml").write_text(f"""<Server port="-1"><Service name="Catalina">
<Connector port="{port}" address="127.0.0.1" protocol="HTTP/1.1"/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps">
<Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs" prefix="log"
  suffix="" rotatable="false" buffered="false" pattern='{FORMAT.replace('"', "&quot;")}'/>
</Host></Engine></Service></Server>""")
    jars = ":".join(map(str, (root / "share/java").glob(f"tomcat{number}-*[0-9].jar")))
    server = subprocess.Popen(
        ["java", "-cp", jars, f"-Dcatalina.home={base}", f"-Dcatalina.base={base}",
         f"-Djava.io.tmpdir={base}/temp", "org.apache.catalina.startup.Bootstrap", "start"],
        stdout=subprocess.DEVNULL, stderr=open(base / "out", "w"))
    try:
        get(port, "/missing", 0)  # it accepts connections some time before it serves them
        get(port, "/large.bin", 1.5)
        for _ in range(100):
            lines = (base / "logs/log").read_text().splitlines()
            if "large" in lines[-1]:
                break
            time.sleep(0.1)
        (base / "logs/log").write_text(lines[-1] + "\n")
    finally:
        server.terminate()
        server.wait()
    return base / "logs/log"


changed = False
for number, unit in (("9", 1), ("10", 1000)):
    log = play(number)
    duration = int(log.read_text().split()[-2])
    report = json.loads(subprocess.run(
        [root / "bin/goaccess", log, "--no-global-config", "--no-progress", "-o", "json",
         '--log-format=%h [%d:%t %^] "%r" %s %b %D %^', "--date-format=%d/%b/%Y",
         "--time-format=%T"], check=True, capture_output=True,
        env=os.environ | {"LD_LIBRARY_PATH": str(next(root.glob("lib/*-linux-gnu")))}).stdout)
    read = report["requests"]["data"][0]["avgts"]
    changed |= not (1_000 * unit <= duration <= 9_000 * unit and read == duration)
    print(f"Tomcat {number}:", log.read_text().strip())
    print(f"GoAccess: {read / 1000} ms")
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"
