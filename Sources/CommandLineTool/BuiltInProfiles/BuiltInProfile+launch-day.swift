extension BuiltInProfile {
    /// `Profiles/launch-day.json`.
    static let launchDay = BuiltInProfile(
        name: "launch-day",
        text: #"""
            // What happens on the day a hundred thousand people come to Scrolly within an h\#
            our?
            //
            // They have signed in before, in a test of the weeks before the launch: as buil\#
            t nobody who installs
            // the app afresh ever gets past its Splash, so a launch of people without token\#
            s would be no load. After
            // weeks their access tokens have expired. It asks about an event, so nothing is\#
             left out.
            // Some 105,000 sessions arrive at random for an hour: a slow morning, a steep r\#
            amp when the store's
            // front page shows the app, a push message ten times as strong for a minute, th\#
            en an afternoon that ebbs
            // away. As many read as look around, and a fifth of those who finish begin agai\#
            n.
            //
            // Read "Refreshes" for what a session of more than five minutes does to the tok\#
            en endpoint, "Causes of
            // attempts" for how much of the load the client makes by itself, and journey_de\#
            lay: it is 0 as long
            // as users never run out.
            {
              "schemaVersion": 1,
              "question": "Does the backend carry a hundred thousand readers who come in one\#
             hour?",
              "seed": 1,
              "duration": "1h",
              "populations": [
                {
                  "name": "newcomers",
                  "app": "scrolly",
                  "users": 100000,
                  "journeys": { "read": 4, "browse": 4, "resume": 1, "buy": 0.5, "comment": \#
            0.2 },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.2,
                      "stages": [
                        { "constant": { "rate": 5, "for": "10m" } },
                        { "ramp": { "from": 5, "to": 45, "for": "15m" } },
                        {
                          "spike": { "base": 40, "peak": 400, "before": "2m", "width": "1m",\#
             "after": "7m" }
                        },
                        { "ramp": { "from": 40, "to": 5, "for": "25m" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "5m", "refreshLifetime": "6h" },
                "server": { "workers": 64, "serviceTime": { "exponential": { "mean": "5ms" }\#
             } }
              },
              "thresholds": {
                "hangs": ["count==0"],
                "journey_delay": ["max==0"],
                "step_failed": ["rate<5%"],
                "step_duration": ["p(95)<3s"],
                "request_duration": ["p(99)<500ms"]
              },
              "output": { "timeseriesInterval": "5s" }
            }

            """#)
}
