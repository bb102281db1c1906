extension BuiltInProfile {
    /// `Profiles/overload-retry-budgeted.json`.
    static let overloadRetryBudgeted = BuiltInProfile(
        name: "overload-retry-budgeted",
        text: #"""
            // Does an overload end when its cause ends? With budgeted retries it does.
            //
            // It asks about the same event as overload-retry: the same people, server and f\#
            ault, and the same
            // arrivals to the nanosecond; only "retries" is another word. Each phone spread\#
            s its retries at
            // random, waits as long as the server asks for, and has a budget: one retry, an\#
            d one more for every
            // ten requests. So the load after the fault is a tenth above the usual one, the\#
             server works its line
            // off, and people are served again.
            //
            // Read "After faults" as there: "at the end" is what "ok before" was, and "reco\#
            vered" says how
            // long after the fault's end. "retry budgets" says how many of the retries aske\#
            d for were granted:
            // that share, and not the number of failures, is what bounds the load.
            {
              "schemaVersion": 1,
              "question": "Does the service come back after two minutes with a quarter of it\#
            s workers, when apps retry within a budget?",
              "seed": 1,
              "duration": "15m",
              "populations": [
                {
                  "name": "people",
                  "app": "shareD",
                  "retries": "budgeted",
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
