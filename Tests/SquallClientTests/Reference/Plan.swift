import SquallKernel

/// What happens to one user within two tenths of a second, drawn from a seed.
///
/// Times are whole hundredths, so that many things happen at the same instant and only the schedule
/// says in which order.
struct Plan: Sendable {
    struct Call: Sendable {
        let start: Int64
        let latency: Int64
        let cancelledAfter: Int64?
    }

    enum Fate: Sendable { case success, lost, unavailable, rejected }

    var calls: [Call]
    var refreshLatencies: [Int64]
    var fates: [Fate]
    /// When the access token of the time expires, besides at the beginning.
    var expiry: Int64?
    var signOut: Int64?
    /// Whether somebody else signs in at the moment of the sign-out.
    var isFollowedBySignIn: Bool

    init(seed: UInt64) {
        var draws = Draws(stream: RandomStream(seed: seed).stream("plan"))
        calls = (0..<draws.number(2...6)).map { _ in
            Call(
                start: draws.hundredths(0...8), latency: draws.hundredths(0...3),
                cancelledAfter: draws.chance(0.15) ? draws.hundredths(0...9) : nil)
        }
        refreshLatencies = (0..<8).map { _ in draws.hundredths(0...3) }
        fates = (0..<8).map { _ in draws.fate() }
        expiry = draws.chance(0.3) ? draws.hundredths(1...9) : nil
        signOut = draws.chance(0.25) ? draws.hundredths(1...9) : nil
        isFollowedBySignIn = draws.chance(0.5)
    }

    /// The same, with refreshes that succeed and nobody who leaves.
    func withoutFaults() -> Plan {
        var plan = self
        plan.fates = fates.map { _ in .success }
        plan.signOut = nil
        plan.calls = calls.map { Call(start: $0.start, latency: $0.latency, cancelledAfter: nil) }
        return plan
    }

    /// Numbers of a stream, one after another.
    private struct Draws {
        let stream: RandomStream
        var ordinal: UInt64 = 0

        mutating func number(_ range: ClosedRange<Int>) -> Int {
            defer { ordinal += 1 }
            return range.lowerBound
                + Int(stream.integer(below: UInt64(range.count), at: ordinal))
        }

        mutating func hundredths(_ range: ClosedRange<Int>) -> Int64 {
            Int64(number(range)) * 10_000_000
        }

        mutating func chance(_ probability: Double) -> Bool {
            defer { ordinal += 1 }
            return stream.chance(probability, at: ordinal)
        }

        mutating func fate() -> Fate {
            switch number(0...9) {
            case 0: .lost
            case 1: .unavailable
            case 2: .rejected
            default: .success
            }
        }
    }
}
