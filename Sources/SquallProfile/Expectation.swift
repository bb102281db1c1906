import SquallFormat

extension Profile {
    /// What is expected of a run, as it was written: `p(95)<1s` of `step_duration`.
    public struct Expectation: Hashable, Sendable {
        /// The metric with its tags.
        public let metric: String
        /// What must hold of it.
        public let expression: String

        /// An expectation of a metric.
        public init(metric: String, expression: String) {
            self.metric = metric
            self.expression = expression
        }
    }
}

/// What metrics there are and what can be expected of them, for a module that knows neither.
public protocol ExpectationGrammar: Sendable {
    /// The metrics' names.
    var metrics: [String] { get }
    /// Why a text is no metric with its tags; nil when it is one.
    func problem(ofMetric metric: String) -> String?
    /// Which values of a metric's tags are unknown, and what was perhaps meant.
    func strangers(inMetric metric: String, _ vocabulary: ProfileVocabulary) -> [String]
    /// What a metric's tags name that the populations must have.
    func names(inMetric metric: String) -> ExpectedNames
    /// What is wrong with an expectation of a metric that is right; nil when nothing is.
    func problem(of expectation: Profile.Expectation) -> String?
    /// From when on an expectation that is right counts; nil for the whole run.
    func beginning(of expectation: Profile.Expectation) -> Int64?
}

/// What the tags of a metric name: each nil where no tag does.
public struct ExpectedNames: Sendable {
    let population, app, journey, step: String?

    /// What the tags name.
    public init(
        population: String? = nil, app: String? = nil, journey: String? = nil, step: String? = nil
    ) {
        self.population = population
        self.app = app
        self.journey = journey
        self.step = step
    }
}

extension Profile.Expectation {
    /// Metrics with lists of expectations.
    static func format(
        _ vocabulary: ProfileVocabulary
    ) -> SettingFormat<[Profile.Expectation]> {
        SettingFormat(
            describe: {
                let metrics = vocabulary.expectations.metrics.joined(separator: "|")
                return SettingShape(
                    "object of metrics with lists of expectations",
                    [
                        "type": "object",
                        "propertyNames": .object(["pattern": .string("^(\(metrics))(\\{.*\\})?$")]),
                        "additionalProperties": ["type": "array", "items": ["type": "string"]],
                    ])
            }, placeholder: { [] }
        ) { node, path, problems in
            guard case .object(let members) = node.value else {
                problems.report(
                    .wrongType, at: path, "\(path) must be an object, got \(node.summary)")
                return nil
            }
            return members.flatMap { all(of: $0, at: path, vocabulary, &problems) }
        }
    }

    private static func all(
        of metric: JSONNode.Member, at path: SettingPath, _ vocabulary: ProfileVocabulary,
        _ problems: inout SettingProblems
    ) -> [Profile.Expectation] {
        let path = path.appending(metric.name)
        let grammar = vocabulary.expectations
        guard !problems.isFull else { return [] }
        if let unfit = metric.name.firstUnfit {
            problems.report(
                .threshold, at: path, "\(path) must have no control characters, got \(unfit)",
                place: metric.place)
            return []
        }
        if let problem = grammar.problem(ofMetric: metric.name) {
            problems.report(.threshold, at: path, problem, place: metric.place)
            return []
        }
        for stranger in grammar.strangers(inMetric: metric.name, vocabulary) {
            problems.report(.threshold, at: path, stranger, place: metric.place)
        }
        guard case .array(let elements) = metric.value.value else {
            problems.report(
                .wrongType, at: path,
                "\(path) must be a list of expectations, got \(metric.value.summary)")
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
            guard let problem = grammar.problem(of: expectation) else {
                return expectation
            }
            problems.report(.threshold, at: path, problem)
            return nil
        }
    }
}
