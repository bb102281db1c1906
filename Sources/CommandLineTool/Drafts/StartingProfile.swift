import SquallFormat

/// A commented starting profile, which runs as it is.
///
/// `squall help profile` explains every line of it; its comments say what to change first.
enum StartingProfile {
    /// The text; `file` is the profile's name in its commands.
    static func text(for file: String, service: DraftService = .example) -> String {
        """
        // \(service.headline)\(service.guesses)
        //
        //   squall run \(file)                       what happens, and a report to look at
        \(commands(file, service))
        //
        // Every setting there is: squall help profile. Words in quotes are yours to choose.
        {
          "schemaVersion": 1,
          "question": "\(question(service))",
          "seed": 1,
          "duration": "10m",
          // Everybody begins within a minute; what that does is left out. Without this line a
          // capacity would be that of the minute of arrival.
          "warmUp": { "for": "2m" },

          // Who comes, and what for: the journeys stand below in "apps".
          "populations": [
            {
              "name": "people",
              "app": "\(service.app)",
              "design": "asBuilt",
              "users": 200,
              "journeys": { "\(service.journeys.first?.name ?? "")": 1 },
              "thinkTime": { "exponential": { "mean": "8s" } },
              "away": { "exponential": { "mean": "1m" } },
              "initialTokens": "aged"
            }
          ],

        \(app(service))

          "backend": {
            // How long tokens live, and whether a refresh token may be used twice: coexist,
            // early409, rotatingStrict, rotatingWithLeeway, rotatingWithReplay or oneShot.
            "tokens": { "accessLifetime": "2m", "refreshLifetime": "14d", "refresh": "coexist" },
            // One way each; a quarter of a second is a phone on the move.
            "network": { "up": "40ms", "down": "40ms" },
            // How many requests are worked on at once, how long one takes where its endpoint
            // does not say, and how many may wait.
            "server": {
              "workers": 4,
              "serviceTime": { "logNormal": { "median": "20ms", "sigma": 0.5, "max": "2s" } },
              "queueLimit": 1000
            },
            // What goes wrong, and when: squall help profile lists the kinds.
            "faults": [\(service.hasTokens ? #"{ "kind": "expireAllTokens", "at": "6m" }"# : "")],

        \(service.text)
          },

        \(explore(service))  // What has to hold; the exit code is 1 when something does not.
          "thresholds": {
            "hangs": ["count==0"],
        \(signOuts(service))
            "step_failed": ["rate<0.05"],
            "step_duration": ["p(95)<2s"]
          }
        }

        """
    }

    private static func question(_ service: DraftService) -> String {
        service.hasTokens
            ? "What do our tokens and our backend do to our users?"
            : "What does our backend do to our users?"
    }

    /// The expectation about sessions; only tokens can end a session.
    private static func signOuts(_ service: DraftService) -> String {
        service.hasTokens
            ? #"    "sessions_lost": ["count==0"],"# : "    // No call needs a token."
    }

    /// The commands to try on the profile.
    private static func commands(_ file: String, _ service: DraftService) -> String {
        let tokens = [
            "//   squall apps \(file)                      what the token design does, drill"
                + " by drill",
            "//   squall compare \(file) --with populations[0].design=naive",
        ]
        let capacity =
            "//   squall capacity \(file)                  how many users keep every threshold"
        let explore =
            "//   squall explore \(file)                   which order of events breaks it"
        return (service.hasTokens ? tokens + [capacity, explore] : [capacity])
            .joined(separator: "\n")
    }

    /// The acts to explore; empty where no call needs a token.
    private static func explore(_ service: DraftService) -> String {
        guard service.hasTokens else { return "" }
        let acts = service.actLines.map { "      " + $0 }.joined(separator: ",\n")
        return """
              // What squall explore plays in many orders: right after all tokens have expired, a
              // screen opens while another still refreshes.
              "explore": {
                "acts": [
            \(acts)
                ]
              },


            """
    }

    private static func app(_ service: DraftService) -> String {
        """
          "apps": [
            {
              "name": "\(service.app)",
              // Your token design. Nothing said means the design that is right: one refresh at a
              // time, whoever is refused meanwhile waits for it. Say what yours does otherwise:
              //   "notices": ["status"], or "clock" with "ahead": "30s", "body", "decoding"
              //   "singleFlight": false        each refused call refreshes on its own
              //   "refreshesLate": true        so does one that is refused with an old token
              //   "resends": 2, "resendDelay": "1s", "refreshAttempts": 3
              //   "failedRefresh": "signOut"   any failed refresh ends the session
              "tokens": { "notices": ["status"], "singleFlight": true },
              // Others to compare it with; "reference" is there by itself.
              "designs": [
                { "name": "naive", "tokens": { "singleFlight": false, "refreshesLate": true } }
              ],
              // Groups of calls, one group after the other; the calls of a group are made at once.
              // A call is the name of an endpoint, or an object: { "endpoint": "\(service.sample)",
              // "page": "next" } for the next page of a list, "times": 4, "reads": "picture",
              // "design": false for what is loaded beside your token design.
              "screens": [
        \(service.screenLines.map { "        " + $0 }.joined(separator: ",\n"))
              ],
              "journeys": [
        \(service.journeyLines.map { "        " + $0 }.joined(separator: ",\n"))
              ]
            }
          ],
        """
    }
}
