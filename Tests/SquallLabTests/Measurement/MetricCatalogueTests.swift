import Testing

@testable import SquallLab
@testable import SquallReport

@Suite("Metrics of a run")
struct MetricCatalogueTests {
    @Test(
        "Every metric has a sentence and a name it is found by",
        arguments: MetricCatalogue.installed.metrics)
    func complete(metric: Metric) {
        #expect(metric.summary.hasSuffix("."))
        #expect(MetricCatalogue.installed.metric(named: metric.name) == metric)
    }

    @Test(
        "A metric is found by its former name, too, and told by the present one",
        arguments: [("expired_answers", "expired_responses"), ("journey_deeds", "journey_goals")])
    func former(name: String, present: String) throws {
        #expect(MetricCatalogue.installed.metric(named: name)?.name == present)
        let key = try MetricKey(parsing: name, among: .installed)
        #expect(key.metric.name == present)
    }

    @Test("Every metric that a run counts was announced by one of its listeners")
    func announced() throws {
        let counted = Set(try OutputTests.run().output.metrics.entries.map(\.key.metric))
        #expect(counted.count > 10)
        #expect(counted.subtracting(MetricCatalogue.installed.metrics).isEmpty)
    }
}
