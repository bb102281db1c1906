extension BuiltInProfile {
    /// `Profiles/payment-day.json`.
    static let paymentDay = BuiltInProfile(
        name: "payment-day",
        text: #"""
            // Who pays twice, and who pays for nothing, on the day when everybody buys?
            //
            // It asks about an event, the day's busiest hour, of which nothing is left out;\#
             people come with tokens
            // as old as they are on any day ("aged").
            //
            // Wages have come: for an hour people open the three apps that sell something a\#
            nd buy, eight times as
            // many of them in the sale from minute 25 to 35. The payment provider is an ord\#
            inary one: one in
            // eight closes its page, one charge in a hundred is never reported to the app, \#
            one in a hundred is
            // reported without its number, and a merchant's number that was charged before \#
            is refused. The apps
            // number payments by the second, so that two people who buy in one second have \#
            the same number. And
            // of a hundred validations the server fails three with a 500, after the money h\#
            as moved.
            //
            // Read "Payments", in which each visit to the payment page is counted once: "fo\#
            r nothing" is a charge
            // that the server never booked, "refused" a number that somebody else had used \#
            up. "Audits" below it
            // names them: "purchase.twice" is somebody who paid twice for one thing, "purch\#
            ase.lost" a charge for
            // nothing. Both should be 0, and the thresholds say so. With "charge" in the pl\#
            ace of "refuse" nobody
            // is refused and far more people pay twice; with "firstReceipt" people are give\#
            n each other's
            // receipts ("lost.payment"). Nobody knows which of the three the real provider \#
            does.
            //
            // Who pays twice does so after a validation that failed, and then the first cha\#
            rge is "purchase.lost"
            // and the second "chargedTwice"; or in Share.D, which offers everything again.
            // This profile once found hundreds in 이책저책 who did: they were our port's, which\#
             reloaded the feed
            // beside the validation. The app waits for it, and none of them was real.
            {
              "schemaVersion": 1,
              "question": "Who pays twice, and who pays for nothing, on the day when everybo\#
            dy buys?",
              "seed": 1,
              "duration": "1h",
              "populations": [
                {
                  "name": "readers",
                  "app": "scrolly",
                  "users": 3000,
                  "journeys": { "buy": 1 },
                  "load": {
                    "open": {
                      "stages": [
                        { "constant": { "rate": 0.5, "for": "20m" } },
                        { "ramp": { "from": 0.5, "to": 4, "for": "5m" } },
                        { "constant": { "rate": 4, "for": "10m" } },
                        { "ramp": { "from": 4, "to": 0.5, "for": "5m" } },
                        { "constant": { "rate": 0.5, "for": "20m" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "6s" } },
                  "initialTokens": "aged"
                },
                {
                  "name": "book lovers",
                  "app": "thisBookThatBook",
                  "users": 3000,
                  "journeys": { "buy": 1 },
                  "load": {
                    "open": {
                      "stages": [
                        { "constant": { "rate": 0.5, "for": "20m" } },
                        { "ramp": { "from": 0.5, "to": 4, "for": "5m" } },
                        { "constant": { "rate": 4, "for": "10m" } },
                        { "ramp": { "from": 4, "to": 0.5, "for": "5m" } },
                        { "constant": { "rate": 0.5, "for": "20m" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "6s" } },
                  "initialTokens": "aged"
                },
                {
                  "name": "givers",
                  "app": "shareD",
                  "users": 3000,
                  "journeys": { "buy": 1 },
                  "load": {
                    "open": {
                      "stages": [
                        { "constant": { "rate": 0.5, "for": "20m" } },
                        { "ramp": { "from": 0.5, "to": 4, "for": "5m" } },
                        { "constant": { "rate": 4, "for": "10m" } },
                        { "ramp": { "from": 4, "to": 0.5, "for": "5m" } },
                        { "constant": { "rate": 0.5, "for": "20m" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "6s" } },
                  "initialTokens": "aged"
                }
              ],
              "backend": {
                "generation": "both",
                "tokens": { "accessLifetime": "10m", "refreshLifetime": "2d" },
                "server": { "workers": 64, "serviceTime": { "exponential": { "mean": "5ms" }\#
             } },
                "payments": {
                  "duration": { "uniform": ["5s", "30s"] },
                  "cancelProbability": 0.125,
                  "noCallbackProbability": 0.01,
                  "lostReceiptProbability": 0.01,
                  "equalMerchantIDs": "refuse"
                },
                "faults": [
                  {
                    "kind": "serverError", "at": "0s", "status": 500, "probability": 0.03,
                    "endpoints": ["validatePayment"]
                  }
                ]
              },
              "thresholds": {
                "audit_findings{cause:purchase.twice}": ["count==0"],
                "audit_findings{cause:purchase.lost}": ["count==0"],
                "hangs": ["count==0"],
                "request_duration": ["p(99)<500ms"]
              },
              "output": { "timeseriesInterval": "10s" }
            }

            """#)
}
