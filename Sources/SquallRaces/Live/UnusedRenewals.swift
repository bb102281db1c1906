import SquallHTTP

/// Counts tokens that were replaced right after they had come, before any call had shown them, and
/// that none shows later, as where two timers know nothing of each other.
///
/// Pages and processes that have a token each show each of them, unless they rest.
struct UnusedRenewals {
    /// The token that a call showed last.
    private var shown: TokenNumber?
    private var unused: [TokenNumber] = []
    /// True as soon as one is shown that had been replaced.
    private var isShared = false
    private static let (rowMin, keptMax) = (3, 8)

    /// Notes that a call shows a token.
    mutating func shows(_ token: TokenNumber) {
        shown = token
        isShared = isShared || unused.contains(token)
    }

    /// Notes that a refresh for which nothing was a reason has replaced a token right after it had
    /// come; returns true from the number on that is no chance.
    mutating func replaced(_ token: TokenNumber?) -> Bool {
        guard !isShared, let token, token != shown else { return false }
        unused = unused.suffix(Self.keptMax - 1) + [token]
        return unused.count >= Self.rowMin
    }
}
