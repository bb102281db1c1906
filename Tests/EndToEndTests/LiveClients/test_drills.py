"""Plays drills of `squall serve quick` with an app: the same as `squall drill`, on the wire.

    squall serve quick --port 8080 &
    python3 test_drills.py http://localhost:8080            # a right client: passes
    python3 test_drills.py http://localhost:8080 --naive    # each refused call refreshes: fails

A drill is begun by the control API, and waits for the app to be used. This app is used in a loop;
a test of yours taps through a screen instead, as often as `awaits` asks for it.
"""
import sys
import threading

from test_refresh import Client, send

DRILLS = ["expiredToken", "lateRefusal"]


def main():
    client = Client(send("GET", "/_squall/accounts")[1]["accounts"][0])
    for drill in DRILLS:
        send("POST", "/_squall/drills", body={"drill": drill})
    while not send("GET", "/_squall/drills")[1]["isOver"]:
        screens = [threading.Thread(target=client.read) for _ in range(5)]
        for screen in screens:
            screen.start()
        for screen in screens:
            screen.join()
        send("GET", "/_squall/quiet?for=600ms&timeout=10s")
    played = send("GET", "/_squall/drills")[1]["drills"]
    for drill in played:
        print(drill["drill"], drill["outcome"], *drill.get("findings", []))
    isRight = all(drill["outcome"] == "passes" for drill in played)
    print("passed" if isRight else "failed")
    return 0 if isRight else 1


sys.exit(main())
