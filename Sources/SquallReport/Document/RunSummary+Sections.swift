import SquallFormat

extension RunSummary {
    /// The sections of a run's report, the same on a terminal and on the page; with the run's
    /// files, for the page, also the charts over time.
    ///
    /// They are in the order of a reader's questions: how much and how fast, what is wrong, did
    /// expectations hold, is the other design better, how it went over time, and why. A new one is
    /// one function and one line.
    func sections(_ run: SavedRun? = nil) -> [Section] {
        var sections: [Section] = [
            .overview(self, run), .findings(self), .thresholds(self), .assumed(assumed),
            .designs(self),
        ]
        // Only a profile that asks about connections has them.
        if !series(of: .connectionsOpened).isEmpty { sections.append(.connections(self)) }
        sections += [
            .populations(self), .load(self, run), .transient(self), .latency(self, run),
            .tokens(self, run), .failures(self), .audits(self), .retries(self, run),
        ]
        if hasServer { sections.append(.server(self)) }
        if let generator { sections.append(.generator(generator)) }
        sections += [.hiddenScreens(self), .endpoints(self, run)]
        if hasServer { sections.append(.pagination(self, run)) }
        return sections + [
            .journeys(self), .faults(self), .assumptions(self), .words, .selfChecks(self),
        ]
    }

    /// False for a real server, of which only responses are known.
    private var hasServer: Bool { server != nil || generator == nil }
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
