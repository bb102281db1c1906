import SquallFormat
import SquallReport

/// The answer in a sentence.
extension CapacityAnswer {
    var sentence: String {
        guard let capacity else { return failure }
        guard otherEnd == nil else { return span }
        let best = text(capacity.value)
        switch outcome {
        case .always:
            return direction == .moreIsBetter
                ? "Even \(best) \(noun) keep every threshold, and fewer were not tried."
                : "\(best) \(noun) keep every threshold, and more were not tried."
        case .bracketed: return bracket(capacity)
        case .found, .never:
            let range = "(95 %: \(interval(capacity)))"
            return direction == .moreIsBetter
                ? "\(best) \(noun) are enough \(range)\(beyond("with fewer"))."
                : "\(best) \(noun) are carried \(range)\(beyond("beyond that"))."
        }
    }

    /// Nothing that was tried holds.
    private var failure: String {
        let values = points.map(\.value)
        let (least, most) = (values.min().map(text) ?? "", values.max().map(text) ?? "")
        let reason = binding.map { ": \($0.whenBroken)" } ?? ""
        return least == most
            ? "\(least) \(noun) do not keep every threshold\(reason)."
            : "Nothing from \(least) to \(most) \(noun) keeps every threshold\(reason)."
    }

    /// Two numbers of which one holds and the other does not.
    private func bracket(_ capacity: ConfidenceInterval) -> String {
        let best = text(capacity.value)
        let isLess = direction == .moreIsBetter
        let verb =
            isLess ? "are enough" : varied == "users" ? "are carried" : "keep every threshold"
        if let neighbour {
            let reason = binding.map { ": with \(text(neighbour.value)) \($0.whenBroken)" }
            return neighbour.isSure
                ? "\(best) \(noun) \(verb), \(text(neighbour.value)) are not\(reason ?? "")."
                : "About \(best) \(noun) \(verb): \(best) and \(text(neighbour.value)) are too near"
                    + " the limit to tell them apart\(reason ?? "")."
        }
        let other = (isLess ? capacity.low : capacity.high).map(text) ?? (isLess ? "fewer" : "more")
        let reason = binding.map { ": \($0.whenBroken)" } ?? ""
        return
            "\(best) \(noun) keep every threshold in every replication, \(other) do not\(reason)."
    }

    /// From where to where every threshold holds.
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

    private func interval(_ interval: ConfidenceInterval) -> String {
        [interval.low, interval.high].compactMap { $0.map(text) }.joined(separator: "…")
    }

    private func beyond(_ place: String) -> String {
        binding.map { "; \(place) \($0.whenBroken)" } ?? ""
    }
}

extension String {
    /// A threshold as `--threshold` takes it, as a clause that denies it: `the p95 wait for a step
    /// is not below 2s`.
    var whenBroken: String {
        let halves = split(separator: ":", maxSplits: 1).map(String.init)
        let signs = ["===", "==", "!=", "<=", ">=", "<", ">"]
        let words = ["exactly", "exactly", "other than", "at most", "at least", "below", "above"]
        guard let colon = lastIndex(of: ":"), halves.count == 2 else { return self }
        let expression = self[index(after: colon)...].drop { $0 == " " }
        guard let sign = signs.indices.first(where: { expression.contains(signs[$0]) }),
            let place = expression.firstRange(of: signs[sign])
        else { return self }
        let aggregate = expression[..<place.lowerBound].filter { $0 != " " }
        let limit = expression[place.upperBound...].drop { $0 == " " }
        let name = aggregate == "value" ? "\(self[..<colon])" : "\(self[..<colon]) \(aggregate)"
        return "\(Headlines.words(name)) is not \(words[sign]) \(limit)"
    }
}
