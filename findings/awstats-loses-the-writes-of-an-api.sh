#!/usr/bin/env bash
# AWStats 7.8: of the traffic of an API it counts half: no PATCH at all, and no 201, 204 or 206.
#
# awstats.pl has a list of methods, with PUT, DELETE and MKACTIVITY and without PATCH: such a line
# is "dropped", is in no table and in no total. A hit is a line with status 200 or 304; what a POST
# that creates something (201) or a DELETE (204) is answered counts as an error, in hits and bytes
# per hour it is missing, as is each 206 of a download. The setting, ValidHTTPCodes, and its comment
# are about redirections. So the peak hour, and a capacity planned from it, are those of the reads.
#
# Expected below, of ten lines each of eight kinds: hits of the hour 40 of 80, 10 lines dropped,
# those of PATCH, and 201, 204 and 206 among the errors. Exits with 1 if that changes. Needs Debian
# 12 with apt-get, perl and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download awstats=7.8-3+deb12u2 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
dpkg -x "$folder"/awstats_*.deb "$folder/root"
cat >"$folder/try.py" <<'PYTHON'
import pathlib, re, subprocess, sys

folder = pathlib.Path(sys.argv[1])
kinds = ["GET 200", "POST 200", "POST 201", "PUT 200", "PATCH 200", "DELETE 200", "DELETE 204",
         "GET 206"]
with open(folder / "log", "w") as log:
    for number in range(10 * len(kinds)):
        method, status = kinds[number // 10].split()
        log.write(
            f"10.0.0.{number} - - [29/Nov/2026:11:{number // 60:02}:{number % 60:02} +0000] "
            f'"{method} /items/{number % 10} HTTP/1.1" {status} 512 "-" "Mozilla/5.0 (X11; Linux '
            'x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"\n')
(folder / "awstats.api.conf").write_text(
    f'LogFile="{folder}/log"\nLogFormat=1\nSiteDomain="api"\nDirData="{folder}"\nDNSLookup=0\n')
output = subprocess.run(
    ["perl", folder / "root/usr/lib/cgi-bin/awstats.pl", "-config=api", f"-configdir={folder}",
     "-update", "-showdropped"], capture_output=True, text=True, check=True).stdout
print(re.search(r"AWStats version \S+", output)[0])
dropped = re.findall(r"^Dropped record \(method/protocol '(\w+)'", output, re.M)
print(f"{len(dropped)} lines dropped:", *sorted(set(dropped)))
kept = (folder / "awstats112026.api.txt").read_text()


def rows(table):
    return [row.split() for row in re.search(
        rf"^BEGIN_{table} \d+\n(.*?)^END_{table}", kept, re.M | re.S)[1].splitlines()]


hits = sum(int(row[2]) for row in rows("TIME"))
errors = {int(row[0]): int(row[1]) for row in rows("ERRORS")}
print(f"hits of the hour: {hits} of {10 * len(kinds)}; errors:", errors)
raise SystemExit((dropped, hits, errors) != (["PATCH"] * 10, 40, {201: 10, 204: 10, 206: 10}))
PYTHON
python3 "$folder/try.py" "$folder"
