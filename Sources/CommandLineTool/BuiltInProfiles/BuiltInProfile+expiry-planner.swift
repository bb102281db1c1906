extension BuiltInProfile {
    /// `Profiles/expiry-planner.json`.
    static let expiryPlanner = BuiltInProfile(
        name: "expiry-planner",
        text: #"""
            // How many refreshes a second come back when tokens that were issued together e\#
            nd?
            //
            //   squall sweep expiry-planner --vary users=250,500,1000,2000 --vary backend.t\#
            okens.lifetimeJitter=0s,10s,30s,1m --figure 'refresh peak'
            //
            // It asks about an event: readers of Scrolly on the reference design open the a\#
            pp within ten seconds,
            // as after a push, with tokens that were issued then ("fresh"), and stay. Their\#
             access tokens live 3 minutes, less what the jitter takes, so they come for new \#
            ones
            // about then. N users whose tokens were issued within w and end up to j early m\#
            ake a peak of
            // N / max(w, j) refreshes a second: the sweep shows that closed form beside wha\#
            t was measured in the
            // busiest second, which is higher by chance where the peak is small, and lower \#
            where people think
            // for longer than the peak lasts. Another lifetime: --set backend.tokens.access\#
            Lifetime=5m.
            {
              "schemaVersion": 1,
              "question": "How high is the peak of refreshes when tokens that were issued to\#
            gether end?",
              "seed": 1,
              "duration": "5m",
              "populations": [
                {
                  "name": "readers",
                  "app": "scrolly",
                  "design": "reference",
                  "users": 1000,
                  "journeys": { "browse": 1 },
                  "thinkTime": { "exponential": { "mean": "2s" } },
                  "away": { "exponential": { "mean": "2s" } },
                  "arriveOver": "10s",
                  "initialTokens": "fresh"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "3m", "refreshLifetime": "6h" },
                "server": { "workers": 256, "serviceTime": { "exponential": { "mean": "5ms" \#
            } } }
              },
              "thresholds": {
                "sessions_lost": ["count==0"]
              }
            }

            """#)
}
