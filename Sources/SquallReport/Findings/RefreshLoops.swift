import SquallFormat

extension FindingRule {
    /// Calls that are refused as expired, refreshed and sent again, over and over: each expiry is
    /// refreshed once, and yet refreshes never stop.
    static let refreshLoops = FindingRule { summary in
        summary.populations.filter { $0.loopingCalls > 0 }.map { row in
            Finding(
                label: "storm.loop",
                headline: Units.counted(row.loopingCalls, "call")
                    + " refreshed again and again",
                count: row.loopingCalls, population: row.name,
                detail: "answered \"expired\" three times or more, one of them"
                    + " \(Units.grouped(row.longestLoop)) times: a new token has expired before the"
                    + " call that waited for it arrives, or the call goes out without it",
                lookAt: "Token refresh", picture: summary.picture(of: "storm", in: row.name))
        }
    }
}
