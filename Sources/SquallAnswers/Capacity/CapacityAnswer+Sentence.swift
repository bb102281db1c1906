import SquallFormat
import SquallReport

extension CapacityAnswer {
    var sentence: String { [verdict, transientSentence].compactMap(\.self).joined(separator: " ") }

    /// Says that the answer counts a beginning that does not last, and names the option that leaves
    /// it out.
    private var transientSentence: String? {
        guard let transient, let first = transient.series.first else { return nil }
        return "The measured time is not yet steady: \(first.words). For the steady state, add"
            + " \(transient.option)."
    }

    private var verdict: String {
        guard let capacity else { return failure }
        let whole = counted(capacity.value)
        switch outcome {
        case .always:
            let keep = "\(whole) \(verb(capacity.value, "meets", "meet"))"
            guard direction != .moreIsBetter else {
                return unit == .count && capacity.value == 1
                    ? "\(whole), the minimum, meets every threshold."
                    : "Even \(keep) every threshold; no smaller value was tried."
            }
            return "\(keep) every threshold; no larger value was tried"
                + (notTried == nil ? ": raise --to." : ".")
        case .bracketed: return bracket(capacity)
        case .found, .never:
            let range =
                (direction == .moreIsBetter ? "the minimum" : "capacity")
                + " is about \(whole) (95 %: \(interval(capacity)))"
                + reason(direction == .moreIsBetter ? "; with fewer " : "; beyond that ") + "."
            guard let shown else {
                return "\(range.sentenceCase) No value near it was"
                    + " shown to meet every threshold."
            }
            return "\(counted(shown)) \(verb(shown, "is", "are")) shown to meet every threshold;"
                + " \(range)"
        }
    }

    /// The sentence for when nothing that was tried holds.
    private var failure: String {
        let values = points.map(\.value)
        let (least, most) = (values.min().map(text) ?? "", values.max().map(text) ?? "")
        let value = values.min() ?? 0
        return least == most
            ? "\(counted(value)) \(verb(value, "does", "do")) not meet every threshold"
                + "\(reason(": "))."
            : "Nothing from \(least) to \(most) \(noun) meets every threshold\(reason(": "))."
    }

    /// The sentence for two numbers of which one holds and the other does not.
    private func bracket(_ capacity: ConfidenceInterval) -> String {
        let best = text(capacity.value)
        let isLess = direction == .moreIsBetter
        let are = verb(capacity.value, "is", "are")
        let keep = "\(verb(capacity.value, "meets", "meet")) every threshold"
        let whole = counted(capacity.value)
        if let neighbour {
            let holds = isLess ? "\(are) enough" : keep
            let denial =
                isLess ? verb(neighbour.value, "is", "are") : verb(neighbour.value, "does", "do")
            let next = text(neighbour.value)
            let reason = reason(": with \(next) ")
            return neighbour.isSure
                ? "\(whole) \(holds), \(next) \(denial) not\(reason)."
                : "About \(whole) \(holds): \(best) and \(next) are too close to the limit to tell"
                    + " them apart\(reason)."
        }
        let other = (isLess ? capacity.low : capacity.high).map(text) ?? (isLess ? "fewer" : "more")
        return
            "\(whole) \(keep) in every replication, \(other)"
            + " \(other == "1" ? "does" : "do") not\(reason(": "))."
    }

    /// `5 workers`, `1 worker`.
    func counted(_ value: Double) -> String {
        let isOne = value == 1 && noun.hasSuffix("s") && !noun.hasSuffix("/s")
        return "\(text(value)) \(isOne ? String(noun.dropLast()) : noun)"
    }

    private func interval(_ interval: ConfidenceInterval) -> String {
        [interval.low, interval.high].compactMap { $0.map(text) }.joined(separator: "…")
    }

    private func verb(_ count: Double, _ one: String, _ many: String) -> String {
        count == 1 ? one : many
    }

    /// The threshold that fails beyond the capacity, after some words; empty where none does.
    private func reason(_ words: String) -> String {
        binding.map { words + clause($0) } ?? ""
    }

    /// The breach of a threshold, as a clause.
    private func clause(_ threshold: String) -> String {
        let broken = points.flatMap(\.thresholds).filter {
            $0.threshold == threshold && !$0.holds
        }
        return !broken.isEmpty && broken.allSatisfy { $0.observed == nil }
            ? threshold.withoutSamples : threshold.whenBroken
    }
}
