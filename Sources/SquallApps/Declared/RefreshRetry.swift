/// How often a refresh is tried that fails in certain ways, and how long it waits before each try.
public struct RefreshRetry: Sendable, Hashable {
    /// The failures for which the row holds.
    public let failures: [Failure]
    /// How often the refresh is sent at the most, the first time included.
    public let attempts: Int
    /// The wait before the second try, the third and so on; the last one before all others.
    public let waits: [Int64]
    /// The nanoseconds after the last try in which no other refresh is sent.
    public let hold: Int64

    /// A row of its parts; without waits it is tried again at once.
    public init(_ failures: [Failure], attempts: Int, waits: [Int64], hold: Int64 = 0) {
        self.failures = failures
        self.attempts = attempts
        self.waits = waits
        self.hold = hold
    }

    /// How a refresh can fail, as a profile writes it.
    public enum Failure: Sendable, Hashable {
        /// There was no response.
        case lost
        /// The response was a success, but had no token.
        case unreadable
        /// The response had one of these statuses.
        case statuses(ClosedRange<Int>)

        /// The failure of a word: `lost`, `unreadable`, a status such as `429`, or `4xx` or `5xx`.
        public init?(_ word: String) {
            switch word {
            case "lost": self = .lost
            case "unreadable": self = .unreadable
            case "4xx": self = .statuses(400...499)
            case "5xx": self = .statuses(500...599)
            default:
                guard let status = Int(word), (400...599).contains(status) else { return nil }
                self = .statuses(status...status)
            }
        }
    }
}

/// A refresh that brought no token.
struct FailedTry: Sendable {
    let failure: DeclaredTokenError.Failure
    /// The status of the response; `nil` without one.
    let status: Int?

    private func isOne(of failures: [RefreshRetry.Failure]) -> Bool {
        failures.contains { one in
            switch one {
            case .lost: failure == .lost
            case .unreadable: failure == .unreadable
            case .statuses(let range): status.map(range.contains) ?? false
            }
        }
    }

    /// The retry that a design has for it in particular.
    func row(of design: DeclaredTokenDesign) -> RefreshRetry? {
        design.refreshRetries.first { isOne(of: $0.failures) }
    }

    /// The wait before the next try of a design, after so many; `nil` when it makes none.
    func pause(after tries: Int, of design: DeclaredTokenDesign) -> Int64? {
        guard let row = row(of: design) else {
            return tries < design.refreshAttempts ? design.refreshDelayNanoseconds : nil
        }
        guard tries < row.attempts else { return nil }
        return row.waits.isEmpty ? 0 : row.waits[min(tries, row.waits.count) - 1]
    }
}
