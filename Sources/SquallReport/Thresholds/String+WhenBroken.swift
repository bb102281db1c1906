extension String {
    /// A threshold of `--threshold`, negated in words: `the p95 wait for a step is not below 2s`.
    public var whenBroken: String {
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
        let name = MetricWords.words(of: String(self[..<colon]), String(aggregate))
        return "\(name) is not \(words[sign]) \(limit)"
    }
}
