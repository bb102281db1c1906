import SquallFormat
import SquallProof

/// The results of many subjects, in numbers.
struct FuzzYield {
    let pairs: [FuzzPair]
    let seed: UInt64

    /// Two lines: the findings, and how many trials ended before their profile's end and why.
    var text: String {
        let failed = pairs.count { $0.complaint != nil }
        let still = sound.count { $0 == .ended(.stoodStill) }
        let none = sound.count { $0 == .undrawn }
        let large = sound.count { if case .ended(.tooLarge) = $0 { true } else { false } }
        let stops = FuzzTrial.Limit.allCases.map { limit in
            "\(held.count { $0 == limit }) after so many \(limit.rawValue)"
        }
        return """
            \(Units.counted(pairs.count, "profile")), seed \(seed), each run twice: \
            \(held.count) held, \(still) stood still and said so, \(failed) failed, \
            \(none) could not be drawn, \(large) too large to be run
            of those that held, \(held.count { $0 == nil }) came to their ends and the others were \
            stopped: \(stops.joined(separator: ", "))

            """
    }

    private var sound: [FuzzLane.Verdict] {
        pairs.filter { $0.complaint == nil }.map(\.first)
    }

    private var held: [FuzzTrial.Limit?] {
        sound.compactMap {
            if case .ended(.held(_, let limit)) = $0 { .some(limit) } else { nil }
        }
    }
}

extension FuzzCoverage {
    /// Three lines: settings at both ends of their ranges and those that were not, pairs of
    /// settings, and what is never drawn.
    func text(isFull: Bool = false) -> String {
        let ends = settings - missing.count
        let shown = missing.prefix(isFull ? missing.count : 12).joined(separator: ", ")
        let rest = isFull || missing.count <= 12 ? "" : ", …"
        return """
            settings at both ends: \(ends) of \(settings)\
            \(missing.isEmpty ? "" : "; not \(shown)\(rest)")
            pairs of settings in one profile: \(Units.grouped(Int64(pairsSeen))) of \
            \(Units.grouped(Int64(pairsInAll)))
            never drawn: \(undrawable.joined(separator: ", ")) (what a profile declares itself has \
            rules of its own)

            """
    }
}
