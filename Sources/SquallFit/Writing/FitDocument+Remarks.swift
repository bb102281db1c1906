import SquallFormat

/// The sentences below the answer of a fit.
extension FitDocument {
    /// Both kinds of load where the log does not tell them apart, and the option that decides.
    private var unclearLoad: [String] {
        guard let visits = fit.visits, visits.kind.isUnclear else { return [] }
        let users = visits.kind.present ?? visits.people * Int(fit.log.sampling.oneIn)
        let rate = Units.rate(perSecond: fit.arrivals.rate.value)
        let screens = Units.threeDigits(visits.screensSeen)
        let (closed, open) = (
            "a closed load of \(Units.counted(users, "user"))",
            "visits that arrive, \(rate) of \(screens) screens"
        )
        return [
            "Closed or open is not known from this log: \(fit.isClosed ? closed : open) is written,"
                + " \(fit.isClosed ? open : closed) is nearly as likely (users came"
                + " \(Units.threeDigits(visits.returns)) times). A longer log decides, or --load"
                + " \(fit.isClosed ? "open" : "closed")."
        ]
    }

    /// The assumptions of the profile that the log does not tell.
    private var assumptions: [String] {
        let profile = FittedProfile(fit, file: "")
        let (users, seen) = profile.users
        let more =
            users == seen
            ? []
            : fit.visits == nil
                ? ["The profile has \(users) users, so that each call that comes finds one."]
                : [
                    "The profile has \(users) users, \(seen) were seen: visits arrive at the log's"
                        + " rate, and each takes a user who is away."
                ]
        let paths = profile.assumed
        guard !paths.isEmpty else { return more }
        return more + ["Assumed, not known from this log: \(paths.joined(separator: ", "))."]
    }

    /// What the reader has to know beside the numbers, in sentences.
    var remarks: [String] {
        lineRemarks + sourceRemarks + skewRemarks + stampRemarks + sampleRemarks + unclearLoad
            + userRemarks + tokenRemarks + (comparison?.remarks ?? [])
    }

    /// Lines that could not be read, or not as they stand.
    private var lineRemarks: [String] {
        let reading = fit.log.reading
        var remarks: [String] = []
        if reading.broken > 0 {
            let quotes = reading.quotes.map { "'\($0)'" }.joined(separator: ", ")
            remarks.append(
                "\(Units.counted(reading.broken, "line")) could not be read (letters and digits"
                    + " hidden): \(quotes).")
        }
        if reading.otherLines > 0 {
            remarks.append(
                "\(Units.counted(reading.otherLines, "line")) without a request were passed over.")
        }
        if reading.unordered > 0 {
            remarks.append(
                "\(Units.counted(reading.unordered, "line")) came out of order, by"
                    + " \(Units.approximate(nanoseconds: reading.largestStepBack)) at the most;"
                    + " they were put in order of their times.")
        }
        if reading.repeated > 0 {
            remarks.append(
                "\(Units.counted(reading.repeated, "line")) stood twice in the same order, as after"
                    + " a rotation that copies (copytruncate), in a file given twice or from a"
                    + " logger that is set up twice: they count once.")
        }
        if let most = reading.setBack.max() {
            remarks.append(
                "The clock was set back \(Units.counted(reading.setBack.count, "time")), by"
                    + " \(Units.approximate(nanoseconds: most)) at the most: what follows is taken"
                    + " to go on where it stood.")
        }
        return remarks
    }

    /// What times and lines do not tell.
    private var stampRemarks: [String] {
        let reading = fit.log.reading
        var remarks: [String] = []
        if reading.areBeginnings {
            remarks.append(
                "Times are read as those when requests came: the lines are in the order of time"
                    + " and duration together.")
        }
        if reading.hosts > 1 {
            remarks.append(
                "Its calls went to \(reading.hosts) hosts, which are taken for one backend; leave"
                    + " out what is not yours.")
        }
        if reading.isWholeSeconds {
            remarks.append(
                (reading.areFractionsOthers
                    ? "Times go back or stand still within seconds, and seconds do not: fractions"
                        + " are of another instant, as a request's beginning, and are not used. "
                    : "")
                    + "Times tell the second only: requests of one were spread over it, and workers"
                    + " are not known. Log $msec (nginx) or %{msec_frac}t (Apache), too.")
        }
        if reading.withDuration == 0 {
            remarks.append(
                (reading.areDurationsZero
                    ? "Nearly all durations are 0, as whole seconds are, and are not used"
                    : doubtfulUnit
                        ?? "No line tells how long it took, or which of its numbers does")
                    + "; log $request_time (nginx) or %D (Apache), or name it with --format.")
        }
        if !fit.log.hasStatuses {
            remarks.append(
                "No status was found in \(reading.formats.joined(separator: "; ")): what was"
                    + " refused or failed, and what clients do with tokens, is not known. Give"
                    + " the form with --format: 'json status=NAME', 'logfmt status=NAME', or the"
                    + " line with $status (nginx) or %>s (Apache).")
        }
        if reading.otherMethods > 0 {
            remarks.append(
                "\(Units.counted(reading.otherMethods, "request")) had verbs that profiles do not"
                    + " have, such as OPTIONS, and were left out.")
        }
        return remarks
    }

    /// The two units between which nothing in the log decides.
    private var doubtfulUnit: String? {
        fit.log.reading.units.lazy.compactMap { _, unit, _ in
            unit.doubt.map { "`\(unit.field)` is \($0), and no line tells which" }
        }.first
    }

    /// What was left out of the estimates.
    private var sampleRemarks: [String] {
        var remarks: [String] = []
        if fit.log.sampling.oneIn > 1 {
            remarks.append(
                "The log is large: every \(fit.log.sampling.oneIn)th user and every"
                    + " \(fit.log.sampling.oneIn)th interval of two minutes was analysed; counts"
                    + " are of the whole log.")
        }
        if let worst = fit.others.max(by: { $0.count < $1.count }) {
            let count = fit.others.reduce(0) { $0 + $1.count }
            func time(_ value: Double) -> String { Units.approximate(nanoseconds: Int64(value)) }
            remarks.append(
                "\(Units.counted(count, "response")) other than successes took other times"
                    + " (\(worst.status) of \(fit.log.calls[worst.call].title): median"
                    + " \(time(worst.median)), successes \(time(worst.success))) and are not"
                    + " counted as work; in a run they cost as much as a success.")
        }
        return remarks
    }

    /// What one law for all users evens out.
    private var userRemarks: [String] {
        guard let factor = fit.visits?.spread?.factor else { return [] }
        return [
            "Users differ: their pauses between screens are longer or shorter by a factor of"
                + " \(Units.threeDigits(factor)) (a standard deviation), as where there are two"
                + " kinds of them. The profile has one kind, which is neither: fit the lines of"
                + " each kind alone."
        ]
    }

    /// The calls about tokens, and what clients do with these.
    private var tokenRemarks: [String] {
        var remarks: [String] = []
        if let refresh = fit.tokens.refresh {
            let call = fit.log.calls[refresh]
            remarks.append(
                "\(call.title) is taken for the refresh, \(fit.tokens.reason).")
        }
        remarks += refusalRemarks
        if let unseen = fit.tokens.unseen, fit.tokens.lacksLines {
            remarks.append(
                "After \(Units.percent(unseen.value)) of \(Units.counted(unseen.count, "expiry"))"
                    + " a call succeeded and no refresh is logged: lines are missing, one user is"
                    + " several devices, or clocks of several hosts differ. Pauses and visits"
                    + " have no interval.")
        }
        if let design = fit.tokens.design {
            remarks.append("The nearest token design is \(design.name): \(design.reason).")
        }
        return remarks
    }

    /// Refusals that are not those of expired tokens.
    private var refusalRemarks: [String] {
        let tokens = fit.tokens
        var remarks: [String] = []
        for call in tokens.neverAccepted.sorted().prefix(3) {
            let logged = fit.log.calls[Int(call)]
            let loops =
                tokens.fruitless > 0
                ? ", which made \(Units.counted(tokens.fruitless, "refresh")) that could not help"
                : ""
            remarks.append(
                "\(logged.title) was refused \(Units.counted(logged.count, "time")),"
                    + " with new tokens"
                    + " too, and never accepted\(loops): it says nothing of tokens.")
        }
        if tokens.isRenewedElsewhere {
            remarks.append(
                "Refused calls succeed later, and no call of this log renews a token: refreshes go"
                    + " elsewhere, and how many there are is not known. Give that log, too.")
        }
        if fit.visits?.isOneUser == false {
            remarks.append(
                "Several users are behind one address, as their"
                    + " \(tokens.isOneUser == false ? "tokens" : "screens") show:"
                    + " pauses, visits and tokens of single users are not known; log a user.")
        }
        return remarks
    }

    /// The fields from which the numbers were read.
    private var sourceRemarks: [String] {
        let reading = fit.log.reading
        var units: [String] = []
        for (_, unit, median) in reading.units where median > 0 {
            let sentence = unit.sentence(median: median) + "."
            if !units.contains(sentence) { units.append(sentence) }
        }
        var remarks = units + [fit.sender.sentence]
        remarks += assumptions
        let leftOut = RequestFilter.Reason.allCases.compactMap { reason in
            reading.leftOut[reason].map { "\(Units.grouped(Int64($0))) of \(reason.words)" }
        }
        if !leftOut.isEmpty {
            remarks.append(
                "Requests left out: \(leftOut.joined(separator: ", ")); --include '*' takes them"
                    + " in.")
        }
        if reading.hiddenWords > 0 {
            remarks.append(
                "\(Units.counted(reading.hiddenWords, "word")) of paths"
                    + " \(reading.hiddenWords == 1 ? "is" : "are") hidden, since fewer than three"
                    + " users asked for each; --keep-words shows them.")
        }
        return remarks
    }

    private var skewRemarks: [String] {
        fit.log.reading.skews.map { skew in
            if fit.log.reading.areClocksMixed {
                return skew.nanoseconds.map {
                    "Its lines are of two clocks, \(Units.approximate(nanoseconds: abs($0))) apart"
                        + " by calls of the same users: the difference was removed."
                } ?? LogIdentity.mixedClocks + ": give each server's log as a file of its own."
            }
            let file = "file \(skew.source + 1)"
            guard let apart = skew.nanoseconds else {
                return "Whether the clocks of \(file) and of the first file agree is not known: too"
                    + " few users have calls in both at once. They are assumed to agree."
            }
            guard apart != 0 else { return "The clocks of \(file) and of the first agree." }
            let size = Units.approximate(nanoseconds: Int64(apart.magnitude))
            return "The clock of \(file) is \(size) \(apart < 0 ? "behind" : "ahead of") the first"
                + " file's, by calls of the same users in both; the difference was removed."
        }
    }
}
