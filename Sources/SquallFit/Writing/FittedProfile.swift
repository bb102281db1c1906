import SquallFormat
import SquallKernel

/// A fit as a profile, as `squall new` would write it; comments name the source of each number.
public struct FittedProfile {
    let fit: TrafficFit
    private let file: String
    private let names: CallNames
    let screens: FittedScreens
    /// Its duration, and the arrivals of visits.
    let schedule: FittedSchedule

    /// Makes the profile of a fit, which names its file in comments, and lasts for so many requests
    /// at the most.
    public init(_ fit: TrafficFit, file: String, requestsMax: Double = .infinity) {
        self.fit = fit
        self.file = file
        schedule = FittedSchedule(fit, requestsMax: requestsMax)
        names = CallNames(fit.log.calls, fit.endpoints)
        screens = FittedScreens(fit, names)
    }

    /// The profile's text.
    public var text: String {
        let (warmUp, duration) = (schedule.warmUp, schedule.warmUp + schedule.measured)
        let parts = [
            ProfilePart("schemaVersion", 1),
            ProfilePart("question", "How many users can the backend of this log serve?"),
            ProfilePart("seed", 1),
            ProfilePart("duration", .exactTime(duration)),
            ProfilePart(
                "warmUp", ["for": .exactTime(warmUp)],
                comment: "The warm-up lasts until every user has come and been away once."),
            .list("populations", isApart: true, [.object(nil, population)]), apps,
            .object(
                "backend", isApart: true,
                [tokenSection, networkSection, serverSection] + faultSection + [service]),
        ]
        let thresholds = DeclaredAPI.thresholds(
            comment: "What has to hold; yours to say, since no log tells it.")
        return ProfilePart.profile(
            head, parts + uncertainty + [thresholds], assuming: assumed)
    }

    /// The key paths of the settings that the log did not tell.
    var assumed: [String] {
        let visits = fit.visits
        let tokens = fit.tokens
        let parts: [(isKnown: Bool, paths: [String])] = [
            (visits?.thinking != nil, ["populations[0].thinkTime"]),
            (visits?.away != nil || visits?.kind.isConstant == true, ["populations[0].away"]),
            (tokens.design != nil, ["apps[0].tokens"]),
            (
                tokens.lifetime != nil || tokens.renewal != nil
                    || fit.options.tokens?.statedLife != nil, ["backend.tokens.accessLifetime"]
            ),
            (false, ["backend.tokens.refreshLifetime", "backend.tokens.refresh"]),
            (visits?.network != nil, ["backend.network.up", "backend.network.down"]),
            (
                fit.options.workers != nil || fit.workers.isKnown && fit.misfit == nil,
                ["backend.server.workers"]
            ),
            (fit.commonLaw != nil, ["backend.server.serviceTime"]),
            (false, ["backend.server.queueLimit"]),
        ]
        return parts.filter { !$0.isKnown }.flatMap(\.paths)
    }

    private var head: String {
        let span = Units.approximate(nanoseconds: fit.log.span)
        let requests = Units.grouped(Int64(fit.log.reading.requests))
        return """
            Fitted by squall fit to \(requests) requests of \(span).

              squall run \(file)         run it and write a report
              squall capacity \(file)    how many users meet every threshold;
                  with --fitted-uncertainty including the uncertainty of this fit

            Intervals are 95 % confidence intervals. The profile has no personal data: addresses,
            tokens, identifiers and queries were dropped while the log was read.
            """
    }
}

extension FittedProfile {
    /// A duration with four significant digits.
    private static func span(_ nanoseconds: Double) -> String {
        Units.exact(nanoseconds: ProfileValue.rounded(nanoseconds))
    }

    static func remark(_ law: FittedLaw?, _ what: String) -> String {
        guard let law else { return "Not known from this log: \(what) were too few." }
        let mean = law.mean
        let spread =
            law.name == "empirical"
            ? "no distribution fits, so the observed values are used"
            : "Kolmogorov–Smirnov statistic \(Units.threeDigits(law.distance))"
        return
            "Mean \(interval(mean, .nanoseconds)) of \(Units.grouped(Int64(mean.count))) \(what);"
            + " \(spread)."
    }

    /// A number with its interval, for comments.
    static func interval(_ estimate: Estimate, _ unit: NumberUnit = .number) -> String {
        let text = unit.text(estimate.value)
        guard let low = estimate.low, let high = estimate.high else { return text }
        return "\(text) (\(unit.text(low))…\(unit.text(high)))"
    }
}

extension FittedProfile {
    private var apps: ProfilePart {
        let design = fit.tokens.design
        let remark =
            design.map { "Nearest declared design: \($0.name): \($0.reason)." }
            ?? "What clients do with an expired token is not known from this log: "
            + (fit.log.hasStatuses ? "none was refused." : "\(TrafficFit.noStatus).")
        return api.apps(
            tokens: design?.settings ?? [("notices", ["status"])],
            journeys: screens.journeys.map { ProfilePart(nil, ProfileValue($0.members)) },
            (remark, "", screens.remark, screens.wayRemark))
    }
}

extension FittedProfile {
    private var tokenSection: ProfilePart {
        let tokens = fit.tokens
        let (lifetime, remark): (Double, String)
        if let seen = tokens.lifetime {
            lifetime = seen.value
            if let low = seen.low.map(Self.span), let high = seen.high.map(Self.span) {
                remark =
                    "Tokens were good up to an age of \(low) and refused from \(high) on;"
                    + " \(seen.count) refusals."
            } else {
                remark =
                    "All tokens were made to expire every \(Self.span(seen.value));"
                    + " \(seen.count) refusals."
            }
        } else if let stated = fit.options.tokens?.statedLife {
            lifetime = Double(stated)
            remark = "As the server says with each token; none was seen to end."
        } else if let seen = tokens.renewal {
            lifetime = seen.value + 30e9
            remark =
                "Clients got a new token at an age of \(Self.span(seen.value)), before the old"
                + " one ended (\(seen.count) refreshes); that they do so 30 s ahead is assumed."
        } else {
            lifetime = tokens.lifeInUse ?? max(3_600e9, Double(fit.log.span))
            remark =
                "The lifetime of access tokens is not known from this log: no token was seen from"
                + " issue to expiry."
                + (tokens.lifeInUse == nil
                    ? "" : " With this one as many end in use as in the log.")
        }
        return ProfilePart(
            "tokens",
            [
                "accessLifetime": .time(max(1e9, lifetime)), "refreshLifetime": "366d",
                "refresh": "coexist",
            ],
            comment: remark + " Refresh tokens: not known from this log.")
    }

    private var networkSection: ProfilePart {
        guard let visits = fit.visits else {
            return ProfilePart(
                "network", ["up": ["constant": "0s"], "down": ["constant": "0s"]],
                comment: "The log has no users, so times are those at the server.")
        }
        let way = visits.networkWritten / 2
        var remarks = [
            visits.network.map {
                "Both ways took \(Self.interval($0, .nanoseconds)) between two groups of calls"
                    + " of a screen (\($0.count)); half of it each way."
            } ?? "Not known from this log: \(Self.span(way)) each way are assumed, and taken off"
                + " the pauses."
        ]
        var limit: ProfileValue?
        if let timeOut = fit.timeOuts.min(by: { $0.span.value < $1.span.value }) {
            let own = timeOut.status == 499 ? "." : ", for all the client is told."
            remarks.append(
                "\(timeOut.span.count) responses with status \(timeOut.status) came after"
                    + " \(Self.span(timeOut.span.value)): the time-out\(own)")
            limit = .time(timeOut.span.value)
        }
        return ProfilePart(
            "network",
            ["up": ["constant": .time(way)], "down": ["constant": .time(way)], "timeout": limit],
            comment: remarks.joined(separator: " "))
    }

    private var serverSection: ProfilePart {
        let (workers, isKnown) = fit.workers
        let remark: String
        if fit.options.workers != nil {
            remark = "As --workers says."
        } else if let misfit = fit.misfit {
            remark =
                "NOT KNOWN FROM THIS LOG: \(misfit), which come nearest and are written here; say"
                + " how many there are (squall fit --workers), or capacity means little."
        } else if let seen = fit.server.workers, isKnown {
            remark =
                "Requests waited as they do before \(Self.interval(seen)) workers, \(seen.count)"
                + " lines; \(Units.percent(fit.server.waitedShare)) of them waited."
        } else {
            remark =
                "NOT KNOWN FROM THIS LOG: no request waited, or times are too coarse. There were at"
                + " most \(fit.server.concurrentMax) requests at once, which is written here; say"
                + " how many there are (squall fit --workers), or capacity means little."
        }
        let times = tokenLaws.map { (name: $0, value: Optional(ProfileValue.law($1.law))) }
        let common = fit.commonLaw
        return .object(
            "server", comment: remark,
            [
                ProfilePart("workers", ProfileValue(workers)),
                ProfilePart(
                    "serviceTime", .law(common?.law ?? .constant(nanoseconds: 20_000_000)),
                    comment: Self.remark(common, "requests")),
                ProfilePart("serviceTimes", ProfileValue(times)),
            ] + refusal + [ProfilePart("queueLimit", 10_000)])
    }

    private var refusal: [ProfilePart] {
        guard let law = fit.refusalLaw else { return [] }
        return [
            ProfilePart(
                "refusalTime", .law(law.law), comment: Self.remark(law, "refused calls"))
        ]
    }

    /// The distributions of the calls about tokens, by name.
    var tokenLaws: [(name: String, law: FittedLaw)] {
        fit.tokens.named.compactMap { name, call in
            guard name != "logIn" || fit.hasSignIn, let law = fit.laws[call] else { return nil }
            return (name, law)
        }
    }

    /// Errors of the server, by call: the status and the share.
    var faults: [(call: Int, status: Int16, share: Estimate)] {
        let timeOuts = fit.timeOuts.map(\.status)
        return fit.endpoints.flatMap { call in
            let logged = fit.log.calls[call]
            let statuses = logged.statuses.ordered { $0.key < $1.key }
            return statuses.compactMap { status, count -> (Int, Int16, Estimate)? in
                let estimate = Estimate(share: count, of: logged.count)
                guard status >= 500, status != 503, count >= 5, estimate.value >= 0.001,
                    !timeOuts.contains(status)
                else { return nil }
                return (call, status, estimate)
            }
        }
    }

    private var faultSection: [ProfilePart] {
        let parts = faults.map { call, status, share in
            ProfilePart(
                nil,
                [
                    "kind": "serverError", "at": "0s", "status": ProfileValue(status),
                    "probability": .number(share.value), "endpoints": ["\(names[call])"],
                ],
                comment: "\(Self.interval(share)) of \(share.count) responses.")
        }
        return parts.isEmpty ? [] : [.list("faults", parts)]
    }
}

extension FittedProfile {
    private var service: ProfilePart {
        api.service(
            comment: """
                "bytes" are the mean of an answer's; "serviceTime" is the time a worker needs,
                waiting left out. \(travel)
                """)
    }

    private var travel: String {
        fit.options.tokens == nil
            ? "How tokens travel is not known from a log: as OAuth 2.0 has it."
            : "Tokens travel as they were seen to."
    }

    private var api: DeclaredAPI {
        DeclaredAPI(
            settings: tokenSettings, endpoints: fit.endpoints.map(endpoint),
            screens: screens.screens)
    }

    /// The form of tokens, as far as a log shows it.
    private var tokenSettings: [ProfileValue.Member] {
        let calls = fit.log.calls
        let status = fit.tokens.expiredStatus ?? 401
        let isOwn = status != 401
        if let seen = fit.options.tokens {
            let expired: ProfileValue = ["status": ProfileValue(status), "statusAlone": true]
            return [("form", "bearer"), ("expired", expired)] + seen.settings(fit.tokens)
        }
        var settings: [ProfileValue.Member] = [("form", isOwn ? "status419" : "bearer")]
        if isOwn, status != 419 {
            settings.append(
                ("expired", ["status": ProfileValue(status), "body": "expired"]))
        }
        if let refresh = fit.tokens.refresh {
            let call = calls[refresh]
            let hasBody = call.method != "GET" && call.method != "HEAD"
            settings.append(
                DeclaredAPI.tokenCall(
                    "refresh", method: call.method, path: call.path,
                    token: isOwn == hasBody
                        ? isOwn ? ["body": "refresh_token"] : DeclaredAPI.tokenHeader : nil))
        }
        if let logIn = fit.tokens.logIn, fit.hasSignIn {
            settings.append(
                DeclaredAPI.tokenCall("logIn", method: "POST", path: calls[logIn].path))
        }
        return settings
    }

    private func endpoint(_ call: Int) -> DeclaredAPI.Endpoint {
        let logged = fit.log.calls[call]
        let bytes = logged.bytes.count > 0 ? logged.bytes.sum / logged.bytes.count : 1_000
        let rows: Int64 = screens.pages(call) ? 10 : 1
        let law = fit.laws[call]
        var endpoint = DeclaredAPI.Endpoint(
            name: names[call], method: logged.method, path: logged.path,
            needsToken: fit.needsToken(call), bytes: min(10_000_000, max(11, bytes / rows)),
            serviceTime: law.map { .law($0.law) },
            remark: law.map { Self.remark($0, "requests") }
                ?? "\(logged.count) requests, too few for a law of their own: the server's.")
        if rows > 1 {
            endpoint.rows = rows
            endpoint.list = DeclaredAPI.Endpoint.list(
                by: logged.paging.offset > logged.paging.cursor ? "offset" : "cursor",
                of: 100_000)
        }
        if logged.requestBytes.count > 0, logged.method != "GET", logged.method != "HEAD" {
            endpoint.requestBytes = min(
                100_000_000, logged.requestBytes.sum / logged.requestBytes.count)
        }
        return endpoint
    }
}
