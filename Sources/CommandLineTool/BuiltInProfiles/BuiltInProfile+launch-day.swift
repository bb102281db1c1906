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
            // Sessions arrive at random for an hour: a slow morning, a steep ramp when the \#
            store's front page
            // shows the app, a push message ten times as strong for a minute, then an after\#
            noon that ebbs away.
            // Eight in ten come within the hour; most look around in a catalogue of a hundr\#
            ed novels, one in four
            // reads, and a tenth of those who finish begin again.
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
                  "journeys": { "browse": 6, "read": 2, "resume": 0.5, "buy": 0.3, "comment"\#
            : 0.1 },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.1,
                      "stages": [
                        { "constant": { "rate": 4, "for": "10m" } },
                        { "ramp": { "from": 4, "to": 36, "for": "15m" } },
                        {
                          "spike": { "base": 32, "peak": 320, "before": "2m", "width": "1m",\#
             "after": "7m" }
                        },
                        { "ramp": { "from": 32, "to": 4, "for": "25m" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "content": { "novels": 100 },
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
