extension BuiltInProfile {
    /// `Profiles/feed-scroll.json`.
    static let feedScroll = BuiltInProfile(
        name: "feed-scroll",
        text: #"""
            // What does it cost to read a list of 100,000 to its end while others write, by\#
             cursor and by offset?
            //
            // It asks about an event, one reading from the first page to the last, so it co\#
            unts from the beginning;
            // no token expires meanwhile.
            //
            // A few people fling a list to its end, asking for each page as soon as the one\#
             before is there: the
            // community of Share.D by cursor, as its app does, five questions a page; the s\#
            hop by offset, as its
            // app does, ten products a page; and the same shop by a cursor, which Naver doe\#
            s not offer and which
            // is here for the comparison. Meanwhile others ask questions, and products come\#
             and go in the shop.
            // Naver's own limit, no offset above 1000, is lifted: with it the offset would \#
            end there.
            //
            // Whoever reaches the end of Share.D's shop has its app end itself, because it \#
            looks at the first
            // product of every page: "shopToEnd" never ends well, and its readers were at t\#
            he end all the same.
            //
            // Read "Pagination". "first" and "end" are the times to the first and to the la\#
            st page, "twice" the
            // items that a reader was shown again, and "missed" those that were in the list\#
             from the reader's
            // first page to the last and were never shown: both should be 0, and by offset \#
            they cannot be. The
            // lines below say how many rows the server looked at for a page, and how long a\#
             page took, by how many
            // items the reader had got before: by cursor the same at any depth, by offset m\#
            ore and more.
            {
              "schemaVersion": 1,
              "question": "What does reading 100,000 items to the end cost by cursor and by \#
            offset, while others write?",
              "seed": 1,
              "duration": "45m",
              "populations": [
                {
                  "name": "community",
                  "app": "shareD",
                  "users": 10,
                  "journeys": { "communityToEnd": 1 },
                  "away": "1h",
                  "arriveOver": "10s",
                  "patience": "1h"
                },
                {
                  "name": "shop",
                  "app": "shareD",
                  "users": 4,
                  "journeys": { "shopToEnd": 1 },
                  "away": "1h",
                  "arriveOver": "10s",
                  "patience": "1h"
                },
                {
                  "name": "shop, ours",
                  "app": "shareD",
                  "users": 4,
                  "journeys": { "shopByCursor": 1 },
                  "away": "1h",
                  "arriveOver": "10s",
                  "patience": "1h"
                },
                {
                  "name": "writers",
                  "app": "shareD",
                  "users": 182,
                  "journeys": { "ask": 1 },
                  "thinkTime": { "exponential": { "mean": "10s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "2h", "refreshLifetime": "2d" },
                "content": { "giftQuestions": 100000 },
                "catalogue": {
                  "items": 100000,
                  "startMax": 1000000,
                  "insertGap": { "exponential": { "mean": "5s", "min": "1ms" } },
                  "removalGap": { "exponential": { "mean": "5s", "min": "1ms" } }
                },
                "server": { "workers": 64, "serviceTime": { "exponential": { "mean": "5ms" }\#
             } }
              },
              "thresholds": {
                "hangs": ["count==0"],
                "sessions_lost": ["count==0"]
              },
              "output": { "timeseriesInterval": "10s" }
            }

            """#)
}
