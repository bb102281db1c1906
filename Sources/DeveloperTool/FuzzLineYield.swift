import SquallFormat

/// The results of many command lines, in numbers.
struct FuzzLineYield {
    let trials: [(FuzzSubject, FuzzLane.Verdict)]
    let seed: UInt64

    /// The counts of endings, the slowest stop and the largest memory, each with its line.
    var text: String {
        let answers = trials.compactMap { subject, verdict -> (String, FuzzLineTrial.Answer)? in
            if case .answered(let answer) = verdict { (subject.name, answer) } else { nil }
        }
        let codes = Dictionary(grouping: answers) { $0.1.code }.ordered { $0.key < $1.key }
            .map { "\($0.value.count) ended with \($0.key)" }
        let stops = answers.filter { $0.1.stopMilliseconds != nil }
        let slowest = stops.max { $0.1.stopMilliseconds ?? 0 < $1.1.stopMilliseconds ?? 0 }
        let largest = answers.max { $0.1.megabytes < $1.1.megabytes }
        let grown = FuzzGrowth.allCases.compactMap { unit in
            growth(by: unit, answers.map { ($0.0, $0.1.growth) })
        }
        return """
            \(Units.counted(trials.count, "case")) of command lines, seed \(seed): \
            \(trials.count - answers.count) failed, \(codes.joined(separator: ", "))
            \(stops.count) were asked to end while they worked; the slowest took \
            \(slowest?.1.stopMilliseconds ?? 0) ms of processor time (\(slowest?.0 ?? "none")); \
            the largest had \(largest?.1.megabytes ?? 0) MB (\(largest?.0 ?? "none"))
            \(grown.isEmpty ? "no line was tried at two sizes" : grown.joined(separator: "; "))

            """
    }

    /// The most memory that a line left behind and held per unit, with the lines' names.
    private func growth(
        by unit: FuzzGrowth, _ answers: [(name: String, growth: FuzzGrowth.PerUnit?)]
    ) -> String? {
        let all = answers.compactMap { answer in
            answer.growth.flatMap { $0.unit == unit ? (name: answer.name, growth: $0) : nil }
        }
        guard let kept = all.max(by: { $0.growth.kept < $1.growth.kept }),
            let held = all.max(by: { $0.growth.held < $1.growth.held })
        else { return nil }
        return "a \(unit) left at most \(Units.grouped(Int64(kept.growth.kept))) bytes behind "
            + "(\(kept.name)) and held \(Units.grouped(Int64(held.growth.held))) "
            + "(\(held.name)) in \(Units.counted(all.count, "line"))"
    }
}
