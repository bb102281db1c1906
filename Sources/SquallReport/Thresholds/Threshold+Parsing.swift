import SquallFormat

/// A mistake in a threshold's text.
public struct ThresholdError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The wrong text: a metric with its tags, or an expression.
    let text: String
    /// The first wrong character, counted from 1.
    let column: Int
    /// What is wrong there and what would be right.
    let problem: String

    /// The problem with its position.
    public var description: String { "'\(text)', column \(column): \(problem)" }
}

extension MetricKey {
    /// Reads `name` or `name{tag:value,tag:value}`.
    ///
    /// - Throws: where the text is wrong, and what would be right there.
    public init(
        parsing text: String, among catalogue: MetricCatalogue
    ) throws(ThresholdError) {
        var cursor = Cursor(text)
        let name = cursor.take { $0 != "{" }
        guard let metric = catalogue.metric(named: String(name)) else {
            let names = catalogue.names
            let hint = Spelling.hint(for: String(name), among: names)
            throw cursor.error(
                at: name, "unknown metric.\(hint) squall help metrics lists all of them")
        }
        var tags: [TagKey: String] = [:]
        if cursor.skip("{") {
            repeat {
                let (key, value) = try cursor.tag(of: metric)
                guard tags.updateValue(value, forKey: key) == nil else {
                    throw cursor.error("tag '\(key.rawValue)' is given twice")
                }
            } while cursor.skip(",")
            guard cursor.skip("}"), cursor.isAtEnd else {
                throw cursor.error("expected '}' as the last character")
            }
        }
        self.init(metric, tags)
    }
}

extension Cursor {
    fileprivate mutating func tag(
        of metric: Metric
    ) throws(ThresholdError) -> (TagKey, String) {
        let name = take { !"{}:,".contains($0) }
        let known = metric.tagKeys
        guard let key = TagKey(rawValue: String(name)), known.contains(key) else {
            let names = known.map(\.rawValue)
            let hint = Spelling.hint(for: String(name), among: names)
            let list = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw error(at: name, "\(metric.name) has no tag '\(name)'.\(hint) Its tags: \(list)")
        }
        guard skip(":") else { throw error("expected ':' and the tag's value") }
        let value = take { !"{},".contains($0) }
        guard !value.isEmpty else { throw error("expected the value of tag '\(name)'") }
        if let values = metric.values[key], !values.contains(String(value)) {
            let hint = Spelling.hint(for: String(value), among: values)
            throw error(
                at: value,
                "no \(name) of \(metric.name) is called '\(value)'.\(hint)"
                    + Spelling.known(values))
        }
        return (key, String(value))
    }

    mutating func aggregate(
        of metric: Metric
    ) throws(ThresholdError) -> Threshold.Aggregate {
        skipSpaces()
        let word = take(while: \.isLetter)
        let names = Threshold.Aggregate.names(for: metric.kind)
        if word == "p", names.contains("p(N)") { return try percentile() }
        guard let aggregate = Threshold.Aggregate(name: word), names.contains(String(word)) else {
            let hint = Spelling.hint(for: String(word), among: names)
            throw error(
                at: word,
                "expected an aggregate of \(metric.name) (\(names.joined(separator: ", "))).\(hint)"
            )
        }
        return aggregate
    }

    private mutating func percentile() throws(ThresholdError) -> Threshold.Aggregate {
        guard skip("(") else { throw error("expected a percentile as in p(95)") }
        let number = take { $0 != ")" }
        guard let percentile = Double(number), (0...100).contains(percentile) else {
            throw error(at: number, "expected a percentile from 0 to 100")
        }
        guard skip(")") else { throw error("expected ')'") }
        return .percentile(percentile)
    }

    mutating func comparison() throws(ThresholdError) -> Threshold.Comparison {
        skipSpaces()
        for comparison in Threshold.Comparison.allCases where skip(comparison.rawValue) {
            return comparison
        }
        throw error("expected one of <, <=, >, >=, ==, !=")
    }

    mutating func limit(
        of metric: Metric, _ aggregate: Threshold.Aggregate
    ) throws(ThresholdError) -> Quantity {
        skipSpaces()
        let text = take { !$0.isWhitespace }
        do throws(LimitError) {
            return try Quantity(limit: String(text), of: metric, aggregate)
        } catch {
            throw self.error(at: text, error.problem)
        }
    }

    /// Reads the conditions of an expectation: its part of the run, and whether it aborts the run.
    mutating func conditions(
        of metric: Metric
    ) throws(ThresholdError) -> (after: Int64?, until: Int64?, abortsRun: Bool) {
        skipSpaces()
        let after = try moment("after", of: metric)
        let until = try moment("until", of: metric)
        if let after, let until, until <= after {
            throw error("expected an end after the beginning")
        }
        let abortsRun = skip("abort")
        skipSpaces()
        guard isAtEnd else {
            throw error("expected 'after', 'until', 'abort' or nothing after the limit")
        }
        return (after, until, abortsRun)
    }

    private mutating func moment(
        _ word: String, of metric: Metric
    ) throws(ThresholdError) -> Int64? {
        guard skip(word + " ") else { return nil }
        guard metric.kind != .gauge else {
            throw error("\(metric.name) is a level and can only be judged over the whole run")
        }
        skipSpaces()
        let text = take { !$0.isWhitespace }
        defer { skipSpaces() }
        do throws(UnitError) {
            return try Units.nanoseconds(text)
        } catch {
            throw self.error(at: text, "\(error)")
        }
    }
}
