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
        return (races > 0 ? [named] : []) + failedExpectations.map { "\($0)" }
            + hangs.map { "hangs: \($0)" }
            + escapes.map { "escaped: \($0)" }
    }
}
