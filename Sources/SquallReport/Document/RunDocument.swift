import SquallDocument
import SquallFormat

/// The parts of a run's report; the text on the terminal and the page show the same parts.
///
/// Parts come in the order of a reader's questions: what is wrong, did expectations hold, is the
/// other design better, what happened over time, and why. A new part is one function and one line.
struct RunDocument {
    let sections: [Section]

    /// Makes the parts of a run; with its files, for the page, also the charts over time.
    init(_ summary: RunSummary, _ run: SavedRun? = nil) {
        let parts: [(RunSummary) -> Section] = [
            Section.findings, Section.thresholds, Section.designs, Section.populations,
            { Section.load($0, run) }, Section.transient, { Section.latency($0, run) },
            { Section.tokens($0, run) }, Section.failures, Section.audits,
            { Section.retries($0, run) }, Section.server, Section.hiddenScreens,
            { Section.endpoints($0, run) }, { Section.pagination($0, run) }, Section.journeys,
            Section.faults, Section.assumptions, Section.words, Section.selfChecks,
        ]
        sections = parts.map { $0(summary) }
    }
}

extension Section {
    /// A part with charts from a run's files.
    init(
        _ title: String, note: String, absence: String, _ blocks: [Block], of run: SavedRun?,
        charts: (SavedRun) -> [Markup]
    ) {
        self.init(title, note: note, absence: absence, blocks, drawn: run.map(charts) ?? [])
    }
}
