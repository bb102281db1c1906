extension BuiltInProfile {
    /// `Profiles/metastability-map.json`.
    static let metastabilityMap = BuiltInProfile(
        name: "metastability-map",
        text: #"""
            // At which load, and after how long an outage, does the service not come back?
            //
            //   squall sweep metastability-map --vary rate=9..36/4 --vary backend.faults[0]\#
            .for=15s,1m,2m,4m --figure recovery
            //
            // It asks about an event, the outage, which begins when the load has been stead\#
            y for minutes; recovery
            // is measured against that load, and no token expires meanwhile.
            //
            // People of Share.D look through their questions, 2.2 calls a session, before a\#
             server that can do
            // 100 calls a second; from 3 minutes on it has one worker of four, for as long \#
            as the sweep says.
            // Phones wait 10 seconds for an answer and send a call that failed twice more a\#
            t once. The map shows
            // how long after the outage as many steps succeed as before it: at once, late, \#
            or never within the
            // run. A load that recovers from a short outage and not from a long one is vuln\#
            erable: the outage
            // ends, and the calls that nobody waits for any more keep the server busy. The \#
            largest load that
            // always recovers is what may be promised. Ask again with --set populations[0].\#
            retries=budgeted.
            {
              "schemaVersion": 1,
              "question": "At which load, and after how long an outage, does the service not\#
             come back by itself?",
              "seed": 1,
              "duration": "12m",
              "populations": [
                {
                  "name": "people",
                  "app": "shareD",
                  "retries": "naive",
                  "users": 6000,
                  "journeys": { "settings": 1 },
                  "load": { "open": { "stages": [{ "constant": { "rate": 18, "for": "12m" } \#
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
                "faults": [{ "kind": "capacity", "at": "3m", "for": "1m", "workers": 1 }]
              },
              "thresholds": {
                "hangs": ["count==0"]
              }
            }

            """#)
}
