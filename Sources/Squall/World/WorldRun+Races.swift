import SquallBackend

extension WorldRun {
    /// How many refreshes were for a token that another refresh had already been for.
    ///
    /// Each token that a service told to have expired is worth one refresh. A request that is told
    /// so later, about the same token, could use what the first refresh brought; if it is followed
    /// by a refresh of its own, that is one too many: with a server that rotates refresh tokens it
    /// may end the session. Refreshes that nobody was told to make, as of clients that look at the
    /// clock, are not counted.
    public var redundantRefreshes: Int {
        Set(log.map(\.user)).reduce(0) { $0 + redundantRefreshes(of: $1) }
    }

    private func redundantRefreshes(of user: Int) -> Int {
        var told: Set<String> = []
        var (worth, again, redundant) = (0, 0, 0)
        for entry in moments(of: user) {
            if entry.isRefresh {
                if worth > 0 {
                    worth -= 1
                } else if again > 0 {
                    again -= 1
                    redundant += 1
                }
            } else if told.insert(entry.accessToken ?? "").inserted {
                worth += 1
            } else {
                again += 1
            }
        }
        return redundant
    }

    /// When a user was told of expiry, and when their refreshes came, in order.
    private func moments(of user: Int) -> [LogEntry] {
        let entries = log.filter { $0.user == user && ($0.isRefresh || $0.meaning == .expired) }
        return entries.enumerated().sorted { left, right in
            let (first, second) = (left.element.moment, right.element.moment)
            return first == second ? left.offset < right.offset : first < second
        }.map(\.element)
    }
}

extension LogEntry {
    fileprivate var moment: Int64 { isRefresh ? arrived.nanoseconds : replied.nanoseconds }
}

extension WorldRun: CustomStringConvertible {
    /// What happened in words: what was wrong, sums, then every request with its time.
    public var description: String {
        let sums = """
            seed \(seed): \(calls) calls, \(expired) told that the token has expired, \
            \(refreshes) refreshes, \(signedOut) signed out, \(elapsed) of virtual time
            """
        return (warnings + [sums] + log.map(\.description)).joined(separator: "\n")
    }

    private var warnings: [String] {
        let races = redundantRefreshes
        let named = """
            race: \(races) refresh\(races == 1 ? "" : "es") of a token that had been refreshed \
            already
            """
        return (races > 0 ? [named] : []) + hangs.map { "hangs: \($0)" }
            + escapes.map { "escaped: \($0)" }
    }
}
