import SquallFormat

/// A number that was estimated from a log, or that the log does not tell.
struct FitFigure: Sendable {
    /// Its name.
    let name: String
    /// Its unit.
    let unit: NumberUnit
    /// The number; nil where the log does not tell it.
    let estimate: Estimate?
    /// A remark on the number.
    let note: String

    /// The number of lines below which a number has no interval: it would mean nothing.
    static let linesMin = 20

    init(_ name: String, _ unit: NumberUnit, _ estimate: Estimate?, _ note: String = "") {
        self.name = name
        self.unit = unit
        let isScarce = (estimate?.count ?? Self.linesMin) < Self.linesMin
        self.estimate = estimate?.known(!isScarce)
        let few = isScarce ? "too few lines for an interval" : ""
        self.note = [note, few].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The number for a document.
    var json: JSON {
        [
            "name": .string(name),
            "unit": .string(
                unit == .perSecond ? "per second" : unit == .number ? "" : unit.rawValue),
            "value": .optional(estimate?.value) { .number($0) },
            "low": .optional(estimate?.low) { .number($0) },
            "high": .optional(estimate?.high) { .number($0) },
            "lines": .optional(estimate?.count) { .integer(Int64($0)) }, "note": .string(note),
        ]
    }
}

extension TrafficFit {
    /// All estimated numbers, in the order of a profile.
    var figures: [FitFigure] { peopleFigures + tokenFigures + serverFigures }

    private var peopleFigures: [FitFigure] {
        let rate = Double(log.reading.requests) / max(1, Double(log.span) / 1e9)
        var figures = [
            FitFigure(
                "requests", .perSecond, Estimate(rate, count: log.reading.requests)),
            FitFigure(
                "users", .number,
                visits.map {
                    Estimate(
                        Double($0.people * Int(log.sampling.oneIn)), count: log.requests.count)
                }, sender.note),
            FitFigure(
                "visit arrivals", .perSecond,
                arrivals.rate.known(
                    visits?.pauses.areToldApart != false && visits?.areUsersKnown != false),
                (arrivals.isSteady ? "steady" : "changes by more than chance") + overlap),
            FitFigure(
                "variance/mean of visit arrivals (1 = Poisson)", .number, arrivals.dispersion,
                arrivals.isPoisson.map { $0 ? "Poisson" : "not Poisson" }
                    ?? (log.sampling.oneIn > 1 ? "not of a sample of users" : "too few")),
        ]
        guard let visits else { return figures }
        let areThere = "users are there all the time"
        if visits.kind.isConstant {
            figures[2] = FitFigure(figures[2].name, .perSecond, nil, areThere)
            figures[3] = FitFigure(figures[3].name, .number, nil, areThere)
        }
        figures += [
            FitFigure(
                "pause between screens", .nanoseconds, visits.thinking?.mean, pauseNote(visits)),
            FitFigure(
                "pause between visits", .nanoseconds, visits.betweenVisits,
                visits.kind.isConstant
                    ? areThere
                    : !visits.pauses.areTwoKinds
                        ? "half an hour ends a visit: no second kind of pause"
                        : visits.isAwayKnown ? "" : unknownAway),
            FitFigure(
                "absence between visits", .nanoseconds, visits.away?.mean,
                visits.kind.isConstant
                    ? areThere
                    : visits.away == nil
                        ? "no user was seen to come back"
                        : visits.isAwayKnown ? lawName(visits.away) : unknownAway),
            FitFigure(
                "network round trip", .nanoseconds, visits.network,
                visits.network != nil
                    ? ""
                    : log.reading.withDuration == 0
                        ? "no line tells how long it took"
                        : log.reading.isWholeSeconds
                            ? "times tell the second only" : "no screen has two groups of calls"),
            FitFigure(
                "screens per visit", .number,
                visits.kind.isConstant
                    ? nil
                    : Estimate(
                        visits.meanScreens, count: visits.journeys.reduce(0) { $0 + $1.count }),
                visits.kind.isConstant ? areThere : ""),
        ]
        return figures
    }

    /// The law of pauses, and the other times in them.
    private func pauseNote(_ visits: Visits) -> String {
        let parts = [
            lawName(visits.thinking),
            log.reading.withDuration == 0
                ? "from line to line"
                : visits.network == nil ? "with the network's round trip" : "",
            tokens.lacksLines ? "" : unknownUsers ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The reason for which users, and so what they do, are not known; `nil` where they are.
    private var unknownUsers: String? {
        guard visits?.areUsersKnown == false else { return nil }
        return tokens.lacksLines
            ? "lines are missing"
            : visits?.isOneUser == false
                ? "several users are behind an address"
                : "one user for each address is not certain"
    }

    private var unknownAway: String {
        if let unknownUsers { return unknownUsers }
        guard let pauses = visits?.pauses else { return "" }
        if !pauses.areToldApart { return "looks and absences overlap" }
        return pauses.hasLongTail
            ? "at least: absences are so long that few fit in the log"
            : "at least: most had not come back when the log ended"
    }

    /// A remark on visits with pauses that may also be looks.
    private var overlap: String {
        guard let pauses = visits?.pauses, !pauses.areToldApart else { return "" }
        return "; where visits end is not known well: \(Units.percent(pauses.doubt)) of pauses"
            + " between them could be looks"
    }

    private func lawName(_ law: FittedLaw?) -> String { law?.name ?? "" }

    private var tokenFigures: [FitFigure] {
        // Where lines are missing, some of a refresh's calls may be among them; of several users
        // one may refresh for another's refusal.
        func whole(_ estimate: Estimate?) -> Estimate? {
            estimate?.known(visits?.areUsersKnown != false)
        }
        return [
            FitFigure(
                "access token lifetime", .nanoseconds, tokens.lifetime,
                tokens.lifetime == nil
                    ? unseenTokens ?? "no token was observed from issue to expiry" + inUse
                    : visits?.isOneUser == false ? unknownUsers ?? "" : ""),
            FitFigure(
                "token age at a proactive refresh", .nanoseconds, tokens.renewal,
                unseenTokens ?? ""),
            FitFigure(
                "refreshes per expiry", .number, whole(tokens.refreshesPerExpiry), expiryNote),
            FitFigure("redundant refreshes", .share, whole(tokens.redundant)),
            FitFigure("calls in a refresh loop", .number, tokens.loops),
            FitFigure("calls refused by one expiry", .number, whole(tokens.refusalsPerExpiry)),
            FitFigure("proactive refreshes", .share, whole(tokens.ahead)),
            FitFigure(
                "failed calls retried", .share, tokens.retries?.share,
                tokens.retries == nil ? unseenTokens ?? "nothing failed" : ""),
            FitFigure("delay before the retry", .nanoseconds, tokens.retries?.spacing),
        ]
    }

    private var inUse: String {
        tokens.lifeInUse.map {
            "; with \(Units.approximate(nanoseconds: Int64($0))) as many would end in use"
        } ?? ""
    }

    static let noStatus = "no line tells the status"

    /// The reason for which nothing about tokens and failures was seen; `nil` where it was.
    private var unseenTokens: String? {
        if !log.hasStatuses { return Self.noStatus }
        return visits == nil ? "users cannot be told apart" : nil
    }

    /// The basis of the count of refreshes, or the reason why there is none.
    private var expiryNote: String {
        if let unseenTokens { return unseenTokens }
        if !log.reading.identity.hasTokenLines { return log.reading.identity.note }
        if tokens.refreshesPerExpiry != nil, let unknownUsers { return unknownUsers }
        if tokens.refreshesPerExpiry != nil { return "each call shows its user's newest token" }
        if tokens.isRenewedElsewhere {
            return "tokens are renewed, but no call of this log does so"
        }
        return tokens.refresh == nil ? "no call is seen to refresh" : "no call was refused"
    }

    /// The reason for which the times do not tell the number of workers; `nil` where they do.
    var misfit: String? {
        let workers = "\(server.assumed ?? 0) equal workers"
        return switch server.misfit {
        case .unexplained(let share):
            "\(Units.percent(share)) of the time in system is not that of one line before"
                + " \(workers)"
        case .overtaking(let count):
            "\(Units.grouped(Int64(count))) requests overtook more than one line lets them before"
                + " \(workers)"
        case .fewMoments(let count):
            "requests came in bursts, and only \(count) moments tell who had to wait before"
                + " \(workers)"
        case nil: nil
        }
    }

    private var workersNote: String {
        if options.workers != nil {
            return "as --workers says" + (misfit.map { "; but \($0)" } ?? "")
        }
        if let misfit { return "\(misfit), which come nearest; give --workers" }
        guard server.workers == nil else { return "" }
        return "no request waited, or times are too coarse: at most"
            + " \(server.concurrentMax) at once; give --workers"
    }

    /// The meaning of the time of requests, where it need not be that of a worker.
    private var workNote: String {
        guard commonLaw != nil else { return "no line tells how long it took" }
        return server.isWorkKnown || !log.histograms.isEmpty
            ? lawName(commonLaw)
            : "at most: the time in the system, in which a wait may be; give --workers"
    }

    private var serverFigures: [FitFigure] {
        [
            FitFigure(
                "workers", .number,
                options.workers.map { Estimate(Double($0), count: server.count) }
                    ?? server.workers, workersNote),
            FitFigure(
                "requests that waited", .share,
                server.assumed.map { _ in Estimate(server.waitedShare, count: server.count) },
                server.assumed.map { "before \($0) workers" } ?? ""),
            FitFigure(
                "concurrent requests", .number,
                log.reading.withDuration == 0
                    ? nil
                    : Estimate(log.concurrency(), count: log.reading.withDuration),
                "at most \(server.concurrentMax)"),
            FitFigure("service time", .nanoseconds, commonLaw?.mean, workNote),
        ]
            + [refusalLaw].compactMap { $0 }.map {
                FitFigure("service time of a refused call", .nanoseconds, $0.mean, lawName($0))
            }
            + timeOuts.map { timeOut in
                FitFigure(
                    "given up, answered \(timeOut.status)", .nanoseconds, timeOut.span,
                    timeOut.status == 499
                        ? "the client's time-out" : "a time-out at the server or before it")
            }
    }
}
