extension BuiltInProfile {
    /// `Profiles/overload-retry.json`.
    static let overloadRetry = BuiltInProfile(
        name: "overload-retry",
        text: #"""
            // Does an overload end when its cause ends? With naive retries it does not.
            //
            // It asks about an event, which begins when the load has been steady for minute\#
            s; no token expires.
            // People of Share.D look through their own and their liked questions, 60 calls \#
            a second to a server
            // that can do 100. From 5 to 7 minutes it can do 25: its line fills up until an\#
             answer takes 20
            // seconds, and phones wait for 10. The app sends every call that failed twice m\#
            ore, after 0.5 s and
            // after 1 s, so that after minute 7 there are about 180 calls a second where th\#
            ere would be 60: the
            // server is busy all the time with calls that nobody waits for any more.
            //
            // Read "After faults": "ok before" and "at the end" are successful steps a seco\#
            nd before the fault
            // and in the last minute, eight minutes after it ended. "no: metastable" means \#
            that the service stays
            // down although nothing is wrong with it any more, and the threshold on failed \#
            steps from minute 10
            // on fails. overload-retry-budgeted asks the same of phones whose retries come \#
            from a budget. Run
            // both, each with a server of its own, and compare that line and "amplification\#
            " under "Causes of
            // attempts". With "none" in the place of "naive" the service returns as well; w\#
            ith "jittered" it
            // does not: spreading retries changes when they come, not how many there are.
            {
              "schemaVersion": 1,
              "question": "Does the service come back after two minutes with a quarter of it\#
            s workers, when apps retry naively?",
              "seed": 1,
              "duration": "15m",
              "populations": [
                {
                  "name": "people",
                  "app": "shareD",
                  "retries": "naive",
                  "users": 6000,
                  "journeys": { "settings": 1 },
                  "load": { "open": { "stages": [{ "constant": { "rate": 27, "for": "15m" } \#
            }] } },
                  "thinkTime": { "exponential": { "mean": "5s" } },
                  "patience": "2m"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "6h", "refreshLifetime": "2d" },
                "network": { "timeout": "10s" },
                "server": {
                  "workers": 4,
                  "queueLimit": 2000,
                  "serviceTime": { "exponential": { "mean": "40ms" } }
                },
                "faults": [{ "kind": "capacity", "at": "5m", "for": "2m", "workers": 1 }]
              },
              "thresholds": {
                "hangs": ["count==0"],
                "step_failed": ["rate<1% after 10m"]
              }
            }

            """#)
}
