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

    /// An expectation of something that never happens would hold or fail whatever the run does.
    func strangers(inMetric metric: String, _ vocabulary: ProfileVocabulary) -> [String] {
        guard let selection = try? MetricKey(parsing: metric, among: .installed) else { return [] }
        return selection.tags.compactMap { tag in
            guard let known = vocabulary.names(for: tag.key), !known.contains(tag.value) else {
                return nil
            }
            return "no \(tag.key.rawValue) is called '\(tag.value)'."
                + Spelling.hint(for: tag.value, among: known)
                + " Known: \(known.joined(separator: ", "))"
        }
    }

    func populations(inMetric metric: String) -> [String] {
        guard let selection = try? MetricKey(parsing: metric, among: .installed) else { return [] }
        return selection.tags.compactMap { $0.key == .population ? $0.value : nil }
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

extension ProfileVocabulary {
    /// The values a tag can have, sorted; nil when they are not known before a run.
    fileprivate func names(for tag: TagKey) -> [String]? {
        switch tag {
        case .app: apps.map(\.name).sorted()
        case .design: designs.sorted()
        case .journey: Set(apps.flatMap(\.journeys).map(\.name)).sorted()
        case .step: Set(apps.flatMap(\.journeys).flatMap(\.steps)).sorted()
        case .cause, .endpoint, .population, .status: nil
        }
    }
}
