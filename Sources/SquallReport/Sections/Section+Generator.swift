import SquallFormat

extension Section {
    /// The load generator: its figures, and if it kept up with the load that it was to make.
    static func generator(_ generator: GeneratorView) -> Section {
        let late = generator.latenessNanoseconds
        let row = [
            Column.target(generator.target), Column.requestsSent(generator.sent),
            Column.late50(late.p50, of: late), Column.late99(late.p99, of: late),
            Column.latest(late.maximum, of: late),
            Column.processor(generator.processorShare),
            Column.busiestSecond(generator.busiestSecond),
            Column.connectionsMost(generator.connectionsMost),
            Column.connectionsMade(generator.connectionsMade),
        ]
        return Section(
            "Load generator",
            note: "How late the generator itself was. Every duration counts from the moment when"
                + " its request was due, so this lateness is part of it. What happens inside a"
                + " real server is not known and not shown.",
            absence: "No request was sent.",
            [
                .table(Table([row])),
                .sentence(generator.held.map { $0 + "." } ?? ""),
                .sentence(generator.repeats ?? ""),
                .sentence(GeneratorView.unjudged(generator.notJudged) ?? ""),
            ])
    }
}

extension Column {
    fileprivate static let target = Column("target", .words, "The server that was driven.")
    fileprivate static let requestsSent = Column(
        "requests sent", "sent", .count, "Requests written to a connection.")
    fileprivate static let late50 = Column(
        "late, p50", .duration, "Half of all requests were sent no later than this after due.")
    fileprivate static let late99 = Column(
        "late, p99", .duration, "99 % of all requests were sent no later than this after due.")
    fileprivate static let latest = Column(
        "late, max", .duration, "How late the latest request was sent.")
    fileprivate static let processor = Column(
        "processor", .share, "Processor time of the generator, as a share of one core.")
    fileprivate static let busiestSecond = Column(
        "busiest second", .count, "The most requests sent in one second.")
    fileprivate static let connectionsMost = Column(
        "open connections", "open", .count, "The most connections open at once.")
    fileprivate static let connectionsMade = Column(
        "connections made", "made", .count, "Connections that were opened in all.")
}
