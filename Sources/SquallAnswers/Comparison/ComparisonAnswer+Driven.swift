import SquallFormat
import SquallLab
import SquallReport

/// A driven run beside simulations of its profile.
extension ComparisonAnswer {
    /// Simulates a profile as a run was driven, compares both, and searches for the setting that
    /// makes them agree when it is changed.
    ///
    /// - Throws: what stops a simulation.
    public static func ofDriven(
        _ driven: ComparisonSide, _ name: String, _ experiment: Experiment, seeds count: Int,
        gates: [ComparisonGate], replay: String, _ replicator: Replicator
    ) throws -> ComparisonAnswer {
        guard let run = driven.driven else { preconditionFailure("\(driven.name) was simulated") }
        let beside = try experiment.changed { $0.besideDriven(run) }
        let replications = try replicator.replications(count, of: beside.profile)
        var answer = ComparisonAnswer(
            driven, ComparisonSide(name, replications), gates: gates, replay: replay)
        let search = CorrectionSearch(
            driven, name, of: beside.profile, answer, seeds: count, replicator)
        answer.corrections = try search.corrections()
        return answer
    }

    /// The figures of a driven run that people ask for first: the durations of requests by
    /// endpoint, the number of requests at once, and refreshes.
    static func drivenNames(_ driven: ComparisonSide) -> [String] {
        let ofEndpoints = driven.figures.map(\.name).filter { name in
            guard let (key, aggregate) = Figure.parts(of: name) else { return false }
            return key.metric == .requestDuration && key.endpointOfAllCauses != nil
                && Percentile.first.contains { $0.aggregate == aggregate }
        }
        return KeyMetrics.names.filter { $0 != "passed" } + ofEndpoints
            + [
                "request_duration min", "request_duration med", "concurrency avg",
                "expired_responses count",
            ]
    }

    /// The number of rows of the table with each decision.
    private static func decisions(of differences: [PairedDifference]) -> String {
        let counts = PairedDifference.Decision.allCases.compactMap { decision -> String? in
            let count = differences.count { $0.decision == decision }
            return count > 0 ? "\(count) \(decision.rawValue)" : nil
        }
        return "\(Units.counted(differences.count, "figure")): \(counts.joined(separator: ", "))."
    }

    static func drivenNotes(
        _ a: ComparisonSide, _ b: ComparisonSide, _ differences: [PairedDifference]
    ) -> [String] {
        guard let run = a.driven else { return [] }
        let known = Set(a.figures.map(\.name))
        let absent = KeyMetrics.names.filter { name in
            !known.contains(name) && b.figures.contains { $0.name == name }
        }
        return [
            decisions(of: differences),
            run.findings.contains { $0.label == "generator.limited" }
                ? "The load generator limited the driven run: what differs may be its own doing."
                : nil,
            b.requests > 0
                ? "B was simulated as A was driven: \(Units.counted(run.users, "user")),"
                    + " \(Units.exact(nanoseconds: run.measuredUntilNanoseconds)), users who sign"
                    + " in on arrival, and no faults."
                : "B was not simulated for this: its users may have begun signed in, and its faults"
                    + " happened. Name its profile or the folder of one run to compare like with"
                    + " like, and to learn which setting to correct.",
            b.seeds.count < seedsMin
                ? "One simulated run has no interval: simulate it with --replications 10." : nil,
            absent.isEmpty
                ? nil
                : "Not compared, because only a simulated server can tell:"
                    + " \(absent.map(KeyMetrics.title).joined(separator: ", ")).",
        ].compactMap(\.self)
    }
}

extension ComparisonAnswer {
    static let drivenNote =
        "B − A, the mean of the simulations less the driven run, ± what one more run of B would be"
        + " off. What the load generator was late, and 2 %, count as no difference;"

    /// Says how many figures agree, and which are furthest off.
    func drivenSentence(_ corrections: [ProfileCorrection]) -> String {
        let judged = differences.filter { $0.pairs >= Self.seedsMin }
        let differing = judged.filter(\.disagrees)
        guard !judged.isEmpty else { return "There is one simulated run, and no interval." }
        let runs = "the driven run and \(Units.counted(seeds.count, "simulation"))"
        guard !differing.isEmpty else {
            let p95 = judged.first { $0.name == "request_duration p(95)" }?.detectableText
            return "No significant difference in any of \(judged.count) figures of \(runs)"
                + (p95.map { "; a p95 request duration that is \($0) off would show (80 % power)." }
                    ?? ".")
        }
        let main = differing.prefix(3).map { figure in
            "\(KeyMetrics.words(figure.name)) is \(figure.shown.a) driven and"
                + " \(figure.shown.b) simulated"
        }
        return "\(differing.count) of \(judged.count) figures of \(runs) differ:"
            + " \(main.joined(separator: ", "))."
    }

    /// Names the setting to correct.
    var advice: [String] {
        guard let corrections, differences.contains(where: \.disagrees) else { return [] }
        let telling = corrections.filter(\.isTelling)
        guard let best = telling.first, best.differing != nil else {
            return [
                "No single one of network, service time, workers, the time to refuse an expired"
                    + " token and access-token lifetime explains the differences: several are"
                    + " otherwise, or something else is."
            ]
        }
        let others = telling.dropFirst().filter(\.isEqualToBest)
        guard !others.isEmpty else { return ["Correct \(best.clause)."] }
        let load = others.compactMap { other in
            other.told.map { told in
                " Drive it with \(Units.counted(told.users, "user")):"
                    + " \(KeyMetrics.words(told.figure))"
                    + " is then \(told.best) with \(best.fits), and \(told.own) with"
                    + " \(other.fits)."
            }
        }
        return [
            "Correct \(([best] + others).map(\.clause).joined(separator: ", or ")). This run cannot"
                + " tell them apart."
                + (load.isEmpty ? " Nor does another number of users." : load.joined())
        ]
    }

    /// Every setting that was tried.
    var correctionSection: Section? {
        guard let corrections, !corrections.isEmpty else { return nil }
        return Section(
            "Settings to correct",
            note: "Each was simulated at many values, with the driven run's seed, and the others as"
                + " the profile has them. 'explained' is the share of all differences together that"
                + " is gone at the value that fits best.",
            [
                .table(
                    Table(
                        [.setting, .has, .fits, .explained, .differing],
                        corrections.map { row in
                            [
                                .init(row.settings.joined(separator: ", ")), .init(row.has),
                                .init(row.fits), .number(row.explained, Units.percent),
                                row.differing.map { .init("\($0)", Double($0)) } ?? .none,
                            ]
                        }))
            ])
    }
}

extension ProfileCorrection {
    fileprivate var clause: String {
        let left = differing.map { "; \(Units.counted($0, "figure")) would differ then" } ?? ""
        return "\(settings.joined(separator: " and ")): the profile has \(has), and \(fits) fits"
            + " best (explains \(Units.percent(explained))\(left))"
    }
}

extension Column {
    fileprivate static let setting = Column("settings", .sentence, "What was changed together.")
    fileprivate static let has = Column("profile", .sentence, "What the profile has.")
    fileprivate static let fits = Column("fits best", .sentence, "What fits the driven run best.")
    fileprivate static let explained = Column(
        "explained", .number, "The share of the differences that it explains.")
    fileprivate static let differing = Column(
        "figures that differ", .number, "How many figures differ with it.")
}

extension ComparisonSide {
    /// More than a request takes through the loopback device and a proxy, in nanoseconds.
    private static let shortestWay: Int64 = 2_000_000

    /// The largest difference of a simulation from this driven run in a figure that still counts as
    /// equal.
    ///
    /// No request is shorter than its way, so that a shortest one tells travel times apart from
    /// service times; the way on one machine, which few profiles give, counts as none. 2 % is the
    /// part that sockets, kernels and a server's own timers add to a network that a
    /// profile gives; the lateness of the generator is in every duration that it measures.
    func tolerance(of figure: String, simulated: Double) -> Double {
        let share = 0.02 * simulated.magnitude
        guard let late = driven?.generator?.latenessNanoseconds, figure.contains("_duration")
        else { return share }
        let lateness =
            switch figure.split(separator: " ").last {
            case "min": late.p50 + Self.shortestWay
            case "p(99)", "p(99.9)", "max": late.p99
            case "p(95)": late.p95
            case "avg": late.mean
            default: late.p50
            }
        return share + Double(lateness)
    }
}
