import SquallFormat
public import SquallReport

extension Profile {
    /// An expectation of a run, as it was written: `p(95)<1s` of `step_duration`.
    public struct Expectation: Hashable, Sendable {
        /// The metric with its tags.
        public let metric: String
        /// The condition that it must meet.
        public let expression: String

        /// An expectation of a metric.
        public init(metric: String, expression: String) {
            self.metric = metric
            self.expression = expression
        }

        /// The threshold that the text stands for.
        ///
        /// - Throws: the place where it is wrong, and what would be right there.
        public func threshold() throws(ThresholdError) -> Threshold {
            try Threshold(metric: metric, expression: expression, among: .installed)
        }
    }

    /// The thresholds of the run, in the file's order.
    public var thresholds: [Threshold] {
        expectations.map { expectation in
            do throws(ThresholdError) {
                return try expectation.threshold()
            } catch {
                preconditionFailure("a checked profile has a wrong threshold: \(error)")
            }
        }
    }
}

extension Profile.Expectation {
    /// Metrics with lists of expectations.
    static func format(
        _ vocabulary: ProfileVocabulary
    ) -> SettingFormat<[Profile.Expectation]> {
        SettingFormat(
            describe: {
                let metrics = MetricCatalogue.installed.names.joined(separator: "|")
                return SettingShape(
                    "object of metrics with lists of thresholds",
                    [
                        "type": "object",
                        "propertyNames": .object(["pattern": .string("^(\(metrics))(\\{.*\\})?$")]),
                        "additionalProperties": ["type": "array", "items": ["type": "string"]],
                    ])
            }, placeholder: { [] }
        ) { node, path, problems in
            guard let members = node.members(at: path, &problems) else { return nil }
            return members.flatMap { all(of: $0, at: path, vocabulary, &problems) }
        }
    }

    private static func all(
        of metric: JSONNode.Member, at path: SettingPath, _ vocabulary: ProfileVocabulary,
        _ problems: inout SettingProblems
    ) -> [Profile.Expectation] {
        let path = path.appending(metric.name)
        guard !problems.isFull else { return [] }
        if let unfit = metric.name.firstUnfit {
            problems.report(
                .threshold, at: path, "\(path) must have no control characters, got \(unfit)",
                place: metric.place)
            return []
        }
        let key: MetricKey
        do throws(ThresholdError) {
            key = try MetricKey(parsing: metric.name, among: .installed)
        } catch {
            problems.report(.threshold, at: path, "\(error)", place: metric.place)
            return []
        }
        for tag in key.tags {
            let names = TagNames(metric: key.metric, tag: tag.key, vocabulary: vocabulary)
            guard let problem = names.problem(of: tag.value) else { continue }
            problems.report(.threshold, at: path, problem, place: metric.place)
        }
        guard case .array(let elements) = metric.value.value else {
            problems.report(
                .wrongType, at: path,
                "\(path) must be a list of thresholds, got \(metric.value.summary)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            let path = path.appending(index)
            guard case .string(let expression) = element.value else {
                problems.report(
                    .wrongType, at: path, "\(path) must be a text, got \(element.summary)")
                return nil
            }
            if let unfit = expression.firstUnfit {
                problems.report(
                    .threshold, at: path, "\(path) must have no control characters, got \(unfit)")
                return nil
            }
            let expectation = Profile.Expectation(metric: metric.name, expression: expression)
            do throws(ThresholdError) {
                _ = try expectation.threshold()
                return expectation
            } catch {
                problems.report(.threshold, at: path, "\(error)")
                return nil
            }
        }
    }
}
