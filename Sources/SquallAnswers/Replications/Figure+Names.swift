import SquallFormat
import SquallLab
import SquallReport

/// The names by which commands ask for figures.
extension Figure {
    /// The full name of a figure, from a short name, or from a metric and an aggregate after a
    /// space or, as in a threshold, a colon.
    ///
    /// - Throws: the fault of a name that no run has; known before anything is run.
    static func name(of text: String, for option: String) throws(PlanningProblem) -> String {
        if let full = KeyMetrics.fullName(of: text) { return full }
        let (metric, aggregate) = halves(of: text)
        let name = "\(metric) \(aggregate)".trimmingSpaces
        if KeyMetrics.views[name] != nil || name.hasPrefix("recovery{") { return name }
        let key: MetricKey
        do throws(ThresholdError) {
            key = try MetricKey(parsing: metric, among: .installed)
        } catch {
            let aliases = KeyMetrics.aliases.keys.ordered(by: <)
            let known = aliases + KeyMetrics.names + MetricCatalogue.installed.names
            let problem = metric.contains("{") ? "\(error)" : "there is no such figure."
            throw PlanningProblem(
                "\(option) '\(text)': \(problem)\(Spelling.hint(for: text, among: known))"
                    + " Known: \(aliases.joined(separator: ", ")), and any metric with what is"
                    + " taken of it, as 'refresh_wait p(95)'; see squall help metrics")
        }
        guard aggregates(of: key.metric.kind).contains(aggregate) else {
            throw PlanningProblem(
                "\(option) '\(text)': of \(key.metric.name) there is"
                    + " \(aggregates(of: key.metric.kind).joined(separator: ", ")), as"
                    + " '\(metric) \(aggregates(of: key.metric.kind)[0])'")
        }
        guard key.tags.isEmpty || key.tags.count == key.metric.tagKeys.count else {
            throw PlanningProblem(
                "\(option) '\(text)': a figure is a metric's total, or one series by all of its"
                    + " tags: \(key.metric.tagKeys.map(\.rawValue).joined(separator: ", "))")
        }
        return "\(key) \(aggregate)"
    }

    /// What the full name of a figure says: a metric with its tags, and what is taken of it; `nil`
    /// for a figure that is computed from several metrics.
    static func parts(of name: String) -> (key: MetricKey, aggregate: String)? {
        let (metric, aggregate) = halves(of: name)
        return (try? MetricKey(parsing: metric, among: .installed)).map { ($0, aggregate) }
    }

    /// Splits the text into a metric with its tags and an aggregate.
    private static func halves(of text: String) -> (metric: String, aggregate: String) {
        let start = text.lastIndex(of: "}") ?? text.startIndex
        guard let cut = text[start...].firstIndex(where: { $0 == " " || $0 == ":" }) else {
            return (text, "")
        }
        return (String(text[..<cut]), String(text[text.index(after: cut)...]).trimmingSpaces)
    }

    /// The aggregates of which there are figures: those of thresholds, with the percentiles that
    /// summaries have, and the whole of a rate.
    private static func aggregates(of kind: Metric.Kind) -> [String] {
        let names = Threshold.Aggregate.names(for: kind).filter { $0 != "p(N)" }
        let further =
            switch kind {
            case .trend: Percentile.all.map(\.aggregate)
            case .rate: ["count"]
            case .counter, .ratio, .gauge: [] as [String]
            }
        return names + further.filter { !names.contains($0) }
    }
}

extension MetricKey {
    /// The endpoint of a series over all causes of its attempts; `nil` of any other series.
    var endpointOfAllCauses: String? { self[.cause] == nil ? self[.endpoint] : nil }
}

extension String {
    /// The text without spaces at its ends.
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
