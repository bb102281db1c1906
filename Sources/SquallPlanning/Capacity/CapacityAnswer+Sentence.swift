import SquallFormat
import SquallReport

/// The answer in a sentence.
extension CapacityAnswer {
    var sentence: String { [verdict, transientSentence].compactMap(\.self).joined(separator: " ") }

    /// Says that the answer counts a beginning that does not last, and which option leaves it out.
    private var transientSentence: String? {
        guard let transient, let first = transient.series.first else { return nil }
        return "That counts a beginning that does not last: \(first.words). For what lasts, add"
            + " \(transient.option)."
    }

    private var verdict: String {
        guard let capacity else { return failure }
        guard otherEnd == nil else { return span }
        let are = capacity.value == 1 ? "is" : "are"
        switch outcome {
        case .always:
            let keep = "\(counted(capacity.value)) \(capacity.value == 1 ? "keeps" : "keep")"
            return direction == .moreIsBetter
                ? "Even \(keep) every threshold, and fewer were not tried."
                : "\(keep) every threshold, and more were not tried."
        case .bracketed: return bracket(capacity)
        case .found, .never:
            let range = "(95 %: \(interval(capacity)))"
            return direction == .moreIsBetter
                ? "\(counted(capacity.value)) \(are) enough \(range)\(beyond("with fewer"))."
                : "\(counted(capacity.value)) \(are) carried \(range)\(beyond("beyond that"))."
        }
    }

    /// The sentence for when nothing that was tried holds.
    private var failure: String {
        let values = points.map(\.value)
        let (least, most) = (values.min().map(text) ?? "", values.max().map(text) ?? "")
        let reason = binding.map { ": \($0.whenBroken)" } ?? ""
        return least == most
            ? "\(counted(values.min() ?? 0)) \(values.min() == 1 ? "does" : "do") not keep every"
                + " threshold\(reason)."
            : "Nothing from \(least) to \(most) \(noun) keeps every threshold\(reason)."
    }

    /// The sentence for two numbers of which one holds and the other does not.
    private func bracket(_ capacity: ConfidenceInterval) -> String {
        let isOne = capacity.value == 1
        let best = text(capacity.value)
        let isLess = direction == .moreIsBetter
        let are = isOne ? "is" : "are"
        let keep = isOne ? "keeps" : "keep"
        let verb =
            isLess
            ? "\(are) enough" : varied == "users" ? "\(are) carried" : "\(keep) every threshold"
        let whole = counted(capacity.value)
        if let neighbour {
            let keeps = !isLess && varied != "users"
            let (one, many) = keeps ? ("does", "do") : ("is", "are")
            let denial = neighbour.value == 1 ? one : many
            let reason = binding.map { ": with \(text(neighbour.value)) \($0.whenBroken)" }
            return neighbour.isSure
                ? "\(whole) \(verb), \(text(neighbour.value)) \(denial) not\(reason ?? "")."
                : "About \(whole) \(verb): \(best) and \(text(neighbour.value)) are too near"
                    + " the limit to tell them apart\(reason ?? "")."
        }
        let other = (isLess ? capacity.low : capacity.high).map(text) ?? (isLess ? "fewer" : "more")
        let reason = binding.map { ": \($0.whenBroken)" } ?? ""
        return
            "\(whole) \(keep) every threshold in every replication, \(other)"
            + " \(other == "1" ? "does" : "do") not\(reason)."
    }

    /// The sentence for a range of values in which every threshold holds.
    private var span: String {
        guard let capacity, let otherEnd else { return "" }
        let (low, high) =
            capacity.value < otherEnd.value
            ? ((otherEnd: capacity, binding), (otherEnd: otherEnd, otherBinding))
            : ((otherEnd: otherEnd, otherBinding), (otherEnd: capacity, binding))
        func end(_ place: String, _ side: (otherEnd: ConfidenceInterval, String?)) -> String {
            let reason = side.1.map { ", \(place) \($0.whenBroken)" } ?? ""
            return "\(reason) (95 %: \(interval(side.otherEnd)))"
        }
        return "From \(text(low.otherEnd.value)) to \(text(high.otherEnd.value)) \(noun) every"
            + " threshold holds\(end("below that", low))\(end("above that", high))."
    }

    /// `5 workers`, `1 worker`.
    private func counted(_ value: Double) -> String {
        let isOne = value == 1 && noun.hasSuffix("s") && !noun.hasSuffix("/s")
        return "\(text(value)) \(isOne ? String(noun.dropLast()) : noun)"
    }

    private func interval(_ interval: ConfidenceInterval) -> String {
        [interval.low, interval.high].compactMap { $0.map(text) }.joined(separator: "…")
    }

    private func beyond(_ place: String) -> String {
        binding.map { "; \(place) \($0.whenBroken)" } ?? ""
    }
}
