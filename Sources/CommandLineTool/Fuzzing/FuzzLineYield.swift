import SquallFormat

/// What came of many command lines, in numbers.
struct FuzzLineYield {
    private let trials: [(FuzzSubject, FuzzLane.Verdict)]
    private let seed: UInt64

    init(_ trials: [(FuzzSubject, FuzzLane.Verdict)], seed: UInt64) {
        self.trials = trials
        self.seed = seed
    }

    /// How many ended how, the slowest stop and the largest memory, with whose they are.
    var text: String {
        let answers = trials.compactMap { subject, verdict -> (String, FuzzLineTrial.Answer)? in
            if case .answered(let answer) = verdict { (subject.name, answer) } else { nil }
        }
        let codes = Dictionary(grouping: answers) { $0.1.code }.sorted { $0.key < $1.key }
            .map { "\($0.value.count) ended with \($0.key)" }
        let stops = answers.filter { $0.1.stopMilliseconds != nil }
        let slowest = stops.max { $0.1.stopMilliseconds ?? 0 < $1.1.stopMilliseconds ?? 0 }
        let largest = answers.max { $0.1.megabytes < $1.1.megabytes }
        return """
            \(Units.counted(trials.count, "case")) of command lines, seed \(seed): \
            \(trials.count - answers.count) failed, \(codes.joined(separator: ", "))
            \(stops.count) were asked to end while they worked; the slowest took \
            \(slowest?.1.stopMilliseconds ?? 0) ms of processor time (\(slowest?.0 ?? "none")); \
            the largest had \(largest?.1.megabytes ?? 0) MB (\(largest?.0 ?? "none"))

            """
    }
}
