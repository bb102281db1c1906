import SquallFormat
@testable import SquallReport
import Testing

@testable import SquallLab

/// One value has one name, one name one value: over thresholds, help, `metrics.prom`, sentences,
/// `timeseries.csv` and the glossary.
@Suite("The dictionary of counts")
struct DictionaryTests {
    private let metrics = MetricCatalogue.installed.metrics

    @Test("Every metric has a noun of its own, and a definition of its own")
    func metricsDiffer() {
        let nouns = metrics.map { MetricWords.noun(of: $0.name) }
        #expect(Set(nouns).count == nouns.count, "two metrics share a noun")
        #expect(Set(metrics.map(\.summary)).count == metrics.count, "two share a definition")
    }

    @Test("A column that counts what a metric counts has its name and its definition")
    func columns() {
        for column in TimelineColumn.written {
            if let metric = metrics.first(where: { $0.name == column.name }) {
                let isLevel = metric.kind == .gauge
                #expect(
                    isLevel || column.meaning == metric.summary,
                    "\(column.name) is another number in timeseries.csv")
            } else {
                #expect(
                    !metrics.contains { $0.summary == column.meaning },
                    "\(column.name) is a second name for a metric")
            }
        }
        #expect(Set(TimelineColumn.written.map(\.meaning)).count == TimelineColumn.written.count)
    }

    @Test("Times in timeseries.csv are in nanoseconds, and say so")
    func units() {
        for column in TimelineColumn.written {
            let words = column.name.split(separator: "_")
            #expect(!["us", "ms", "s"].contains(words.last), "\(column.name)")
            if words.contains(where: { $0.hasPrefix("p") && Int($0.dropFirst()) != nil }) {
                #expect(words.last == "ns", "\(column.name) does not name its unit")
            }
        }
    }

    @Test("The glossary defines no word twice and nothing as a metric with another meaning does")
    func glossary() {
        #expect(Set(Glossary.entries.map(\.word)).count == Glossary.entries.count)
        #expect(Set(Glossary.entries.map(\.meaning)).count == Glossary.entries.count)
        for entry in Glossary.entries {
            let metric = metrics.first { MetricWords.noun(of: $0.name) == entry.word }
            #expect(metric == nil || metric?.summary == entry.meaning, "\(entry.word)")
        }
    }

    @Test(
        "A figure is called the same wherever a sentence speaks of it",
        arguments: [
            ("requests", "count", "the number of attempts"),
            ("step_duration{step:main}", "p(95)", "the p95 step duration of step main"),
            ("step_failed", "rate", "the share of failed steps"),
            ("steps", "rate", "the number of steps that ended per second"),
            ("connection_wait", "max", "the longest wait for a connection"),
            ("workers_busy", "max", "the most busy workers"),
            ("refreshes_per_expiry", "value", "the number of refreshes per expiry"),
        ])
    func words(metric: String, aggregate: String, words: String) {
        #expect(MetricWords.words(of: metric, aggregate) == words)
    }
}
