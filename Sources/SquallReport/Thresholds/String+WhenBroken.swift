extension String {
    /// What breaks a threshold of `--threshold`, in words: `the p95 step duration is 2s or more`.
    public var whenBroken: String {
        guard let parts = thresholdParts else { return self }
        let (name, sign, limit) = parts
        return switch sign {
        case "<": "\(name) is \(limit) or more"
        case "<=": "\(name) is above \(limit)"
        case ">": "\(name) is \(limit) or less"
        case ">=": "\(name) is below \(limit)"
        case "!=": "\(name) is \(limit)"
        default: "\(name) is not \(limit)"
        }
    }

    /// The same with what was observed: `the p95 step duration is 31.5s (limit 2s)`.
    public func whenBroken(observed: String) -> String {
        guard let (name, _, limit) = thresholdParts else { return self }
        return "\(name) is \(observed) (limit \(limit))"
    }

    /// The noun of what a threshold limits, its sign and its limit; nil for another text.
    private var thresholdParts: (name: String, sign: String, limit: String)? {
        let signs = ["===", "==", "!=", "<=", ">=", "<", ">"]
        guard let colon = lastIndex(of: ":") else { return nil }
        let expression = self[index(after: colon)...].drop { $0 == " " }
        guard let sign = signs.first(where: { expression.contains($0) }),
            let place = expression.firstRange(of: sign)
        else { return nil }
        let aggregate = expression[..<place.lowerBound].filter { $0 != " " }
        let limit = expression[place.upperBound...].drop { $0 == " " }
        let name = MetricWords.words(of: String(self[..<colon]), String(aggregate))
        return (name, sign, String(limit))
    }
}

extension ThresholdResult {
    /// What broke it, with what was observed, in words.
    public var whenBroken: String {
        let threshold = "\(metric): \(expression)"
        return observed.map { threshold.whenBroken(observed: $0.description) }
            ?? threshold.whenBroken
    }
}
