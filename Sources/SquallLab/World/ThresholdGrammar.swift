import SquallFormat
public import SquallProfile
public import SquallReport

/// What can be expected of a run: the report's metrics and its grammar of thresholds.
struct ThresholdGrammar: ExpectationGrammar {
    var metrics: [String] { MetricCatalogue.installed.names }

    func problem(ofMetric metric: String) -> String? {
        do throws(ThresholdError) {
            _ = try MetricKey(parsing: metric, among: .installed)
            return nil
        } catch {
            return "\(error)"
        }
    }

    func strangers(inMetric metric: String, _ vocabulary: ProfileVocabulary) -> [String] {
        guard let selection = try? MetricKey(parsing: metric, among: .installed) else { return [] }
        return selection.tags.compactMap { tag in
            TagNames(metric: selection.metric, tag: tag.key, vocabulary: vocabulary)
                .problem(of: tag.value)
        }
    }

    func names(inMetric metric: String) -> ExpectedNames {
        guard let selection = try? MetricKey(parsing: metric, among: .installed) else {
            return ExpectedNames()
        }
        return ExpectedNames(
            population: selection[.population], app: selection[.app],
            journey: selection[.journey], step: selection[.step])
    }

    func problem(of expectation: Profile.Expectation) -> String? {
        do throws(ThresholdError) {
            _ = try Threshold(expectation)
            return nil
        } catch {
            return "\(error)"
        }
    }

    func beginning(of expectation: Profile.Expectation) -> Int64? {
        (try? Threshold(expectation))?.afterNanoseconds
    }
}

extension Profile {
    /// What is expected of the run, in the file's order.
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
