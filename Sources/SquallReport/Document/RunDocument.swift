/// What a run shows, part by part; the text on the terminal and the page render the same parts.
///
/// Parts come in the order of a reader's questions: what is wrong, did it hold, is the other
/// design better, what happened over time, and why. A new part is one function and one line here.
struct RunDocument {
    let sections: [Section]

    init(_ summary: RunSummary) {
        let parts: [(RunSummary) -> Section] = [
            Section.findings, Section.thresholds, Section.designs, Section.populations,
            Section.load, Section.transient, Section.latency, Section.tokens, Section.failures,
            Section.audits, Section.retries, Section.server, Section.hiddenScreens,
            Section.endpoints, Section.pagination, Section.journeys, Section.faults,
            Section.assumptions, Section.words, Section.selfChecks,
        ]
        sections = parts.map { $0(summary) }
    }
}
