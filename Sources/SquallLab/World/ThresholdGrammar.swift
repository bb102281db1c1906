import SquallFormat
public import SquallReport

/// The grammar of expectations: the report's metrics and thresholds.
public enum ThresholdGrammar {
    /// The metrics' names.
    public static var metrics: [String] { MetricCatalogue.installed.names }

    /// Why a text is no metric with tags; nil when it is one.
    static func problem(ofMetric metric: String) -> String? {
        do throws(ThresholdError) {
            _ = try MetricKey(parsing: metric, among: .installed)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The unknown values of a metric's tags, with suggestions.
    static func unknownNames(inMetric metric: String, _ vocabulary: ProfileVocabulary) -> [String] {
        guard let selection = try? MetricKey(parsing: metric, among: .installed) else { return [] }
        return selection.tags.compactMap { tag in
            TagNames(metric: selection.metric, tag: tag.key, vocabulary: vocabulary)
                .problem(of: tag.value)
        }
    }

    /// What is wrong with an expectation of a valid metric; nil when nothing is.
    public static func problem(of expectation: Profile.Expectation) -> String? {
        do throws(ThresholdError) {
            _ = try Threshold(expectation)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// From when on a valid expectation counts; nil for the whole run.
    static func beginning(of expectation: Profile.Expectation) -> Int64? {
        (try? Threshold(expectation))?.afterNanoseconds
    }
}

extension Profile {
    /// The thresholds of the run, in the file's order.
    public var thresholds: [Threshold] {
        expectations.map { expectation in
            do throws(ThresholdError) {
                return try Threshold(expectation)
            } catch {
                preconditionFailure("a checked profile has a wrong threshold: \(error)")
            }
        }
    }
}

extension Threshold {
    fileprivate init(_ expectation: Profile.Expectation) throws(ThresholdError) {
        try self.init(
            metric: expectation.metric, expression: expectation.expression, among: .installed)
    }
}
