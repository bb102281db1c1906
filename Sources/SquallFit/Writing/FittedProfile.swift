import SquallFormat

/// A fit as a profile, as `squall new` would write it; comments say where each number comes from.
public struct FittedProfile {
    let fit: TrafficFit
    private let file: String
    private let names: CallNames
    let screens: FittedScreens
    /// The fit that the load is taken from: the number of users, and when visits begin.
    let load: TrafficFit
    private let durationMax: Int64?

    /// Makes the profile of a fit, which names its file in comments.
    ///
    /// It may take the load from another part of the same log, and be limited to a duration in
    /// nanoseconds after its warm-up.
    public init(
        _ fit: TrafficFit, file: String, load: TrafficFit? = nil, durationMax: Int64? = nil
    ) {
        self.fit = fit
        self.file = file
        self.load = load ?? fit
        self.durationMax = durationMax
        names = CallNames(fit.log.calls, fit.endpoints)
        screens = FittedScreens(fit, names)
    }

    /// Its warm-up and its duration, in nanoseconds.
    public var times: (warmUp: Int64, duration: Int64) {
        let second = 1_000_000_000.0
        guard fit.isClosed, let visits = fit.visits else {
            let span = Double(max(60, min(86_400, load.log.span / 1_000_000_000)))
            let duration = min(Int64(span.rounded() * second), durationMax ?? .max)
            return (min(duration / 10, 600_000_000_000), duration)
        }
        let steps = fit.visits?.meanScreens ?? 1
        let round =
            (visits.away?.mean.value ?? 0) + steps * (visits.thinking?.mean.value ?? 0)
        let warmUp = (min(1_800, max(60, 3 * round / second)) / 30).rounded(.up) * 30
        let measured = min(Int64(900 * second), durationMax ?? .max)
        return (Int64(warmUp * second), Int64(warmUp * second) + measured)
    }

    /// The profile's text.
    public var text: String {
        let reading = fit.log.reading
        let (warmUp, duration) = times
        let parts = [
            header(reading),
            """
            {
              "schemaVersion": 1,
              "question": "How many users does the backend of this log carry?",
              "seed": 1,
              "duration": \(Self.span(duration)),
              // Until everybody has come and been away once, nothing is measured.
              "warmUp": { "for": \(Self.span(warmUp)) },

            """,
            population, "", apps, "", backend, uncertainty,
            """

              // What has to hold; yours to say, since no log tells it.
              "thresholds": {
                "hangs": ["count==0"],
                "sessions_lost": ["count==0"],
                "step_failed": ["rate<0.05"],
                "step_duration": ["p(95)<2s"]
              }
            }

            """,
        ]
        return parts.joined(separator: "\n")
    }

    private static func span(_ nanoseconds: Int64) -> String {
        Units.exact(nanoseconds: nanoseconds).quoted
    }

    private func header(_ reading: TrafficLog.Reading) -> String {
        let span = Units.approximate(nanoseconds: fit.log.span)
        let requests = Units.grouped(Int64(reading.requests))
        return """
            // Fitted by squall fit to \(requests) requests of \(span).
            //
            //   squall run \(file)         what happens, and a report to look at
            //   squall capacity \(file)    how many users keep every threshold;
            //       with --fitted-uncertainty as sure as this fit is
            //
            // Intervals hold the true number in 95 of 100 cases. Nothing in here is anybody's:
            // addresses, tokens, identifiers and queries were dropped while the log was read.
            """
    }
}

/// Its comments.
extension FittedProfile {
    static func remark(_ law: FittedLaw?, _ what: String) -> String {
        guard let law else { return "Not known from this log: \(what) were too few." }
        let mean = law.mean
        let spread =
            law.name == "empirical"
            ? "no law comes near, so as they were seen"
            : "distance from the law \(Units.threeDigits(law.distance))"
        return
            "Mean \(interval(mean, .nanoseconds)) of \(Units.grouped(Int64(mean.count))) \(what);"
            + " \(spread)."
    }

    /// A number with its interval, for comments.
    static func interval(_ estimate: Estimate, _ unit: FitFigure.Unit = .number) -> String {
        let text = unit.text(estimate.value)
        guard let low = estimate.low, let high = estimate.high else { return text }
        return "\(text) (\(unit.text(low))…\(unit.text(high)))"
    }

    func comment(_ text: String, _ indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation) + "// "
        return Prose.lines(text, first: margin, rest: margin).joined(separator: "\n")
    }
}

/// The app.
extension FittedProfile {
    private var apps: String {
        let design = fit.tokens.design
        let remark =
            design.map { "Nearest declared design: \($0.name): \($0.reason)." }
            ?? "What clients do with an expired token is not known from this log: none was refused."
        return """
              "apps": [
                {
                  "name": "app",
            \(comment(remark, 6))
                  "tokens": { \(design?.settings ?? "\"notices\": [\"status\"]") },
                  "designs": [
                    { "name": "naive", "tokens": { "singleFlight": false, "refreshesLate": true } }
                  ],
            \(comment(screens.remark, 6))
                  "screens": [
            \(screens.screenLines.map { "        " + $0 }.joined(separator: ",\n"))
                  ],
            \(comment(screens.wayRemark, 6))
                  "journeys": [
            \(screens.journeyLines.map { "        " + $0 }.joined(separator: ",\n"))
                  ]
                }
              ],
            """
    }
}

/// The backend.
extension FittedProfile {
    private var backend: String {
        [
            "  \"backend\": {", tokenSection, networkSection, serverSection, faultSection,
            serviceSection, "  },",
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var tokenSection: String {
        let tokens = fit.tokens
        let lifetime: (Double, String)
        if let seen = tokens.lifetime {
            let (low, high) = (seen.low ?? 0, seen.high ?? 0)
            lifetime = (
                seen.value,
                "Tokens were good up to an age of"
                    + " \(FittedLaw.span(low)) and refused from \(FittedLaw.span(high)) on;"
                    + " \(seen.count) refusals."
            )
        } else if let seen = tokens.renewal {
            lifetime = (
                seen.value + 30e9,
                "Clients got a new token at an age of \(FittedLaw.span(seen.value)), before the old"
                    + " one ended (\(seen.count) refreshes); that they do so 30 s ahead is assumed."
            )
        } else {
            lifetime = (
                max(3_600e9, Double(fit.log.span)),
                "How long access tokens live is not known from this log: none was seen from its"
                    + " beginning to its end."
            )
        }
        return comment(lifetime.1 + " Refresh tokens: not known from this log.", 4) + "\n"
            + "    \"tokens\": { \"accessLifetime\": \(FittedLaw.time(max(1e9, lifetime.0))),"
            + " \"refreshLifetime\": \"366d\", \"refresh\": \"coexist\" },"
    }

    private var networkSection: String {
        let remark: String
        if let seen = fit.visits?.network {
            remark =
                "Both ways took \(Self.interval(seen, .nanoseconds)) between two groups of calls"
                + " of a screen (\(seen.count)); half of it each way."
        } else {
            remark =
                "Not known from this log: 40 ms each way are assumed, and taken off the pauses."
        }
        let way = FittedLaw.time((fit.visits?.network?.value ?? Visits.networkAssumed) / 2)
        var (text, last) = (comment(remark, 4), "")
        if let timeOut = fit.timeOuts.min(by: { $0.span.value < $1.span.value }) {
            let seen = "\(timeOut.span.count) answers \(timeOut.status) came after"
            let own = timeOut.status == 499 ? "." : ", for all the client is told."
            text +=
                "\n"
                + comment("\(seen) \(FittedLaw.span(timeOut.span.value)): the time-out\(own)", 4)
            last = ", \"timeout\": \(FittedLaw.time(timeOut.span.value))"
        }
        return text + "\n    \"network\": { \"up\": { \"constant\": \(way) },"
            + " \"down\": { \"constant\": \(way) }\(last) },"
    }

    private var serverSection: String {
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
                "NOT KNOWN FROM THIS LOG: nobody waited, or times are too coarse. There were at"
                + " most \(fit.server.concurrentMax) requests at once, which is written here; say"
                + " how many there are (squall fit --workers), or capacity means little."
        }
        let times = tokenLaws.map { "\($0.quoted): \($1.json)" }
        let common = fit.commonLaw
        return """
            \(comment(remark, 4))
                "server": {
                  "workers": \(workers),
            \(comment(Self.remark(common, "requests"), 6))
                  "serviceTime": \(common?.json ?? "{ \"constant\": \"20ms\" }"),
                  "serviceTimes": { \(times.joined(separator: ", ")) },
                  "queueLimit": 10000
                },
            """
    }

    /// The distributions of the calls about tokens, by name.
    var tokenLaws: [(name: String, law: FittedLaw)] {
        let logIn = fit.hasSignIn ? fit.tokens.logIn : nil
        return [("refresh", fit.tokens.refresh), ("logIn", logIn)].compactMap { name, call in
            guard let call, let law = fit.laws[call] else { return nil }
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

    private var faultSection: String {
        let lines = faults.map { call, status, share in
            """
            \(comment("\(Self.interval(share)) of \(share.count) answers.", 6))
                  { "kind": "serverError", "at": "0s", "status": \(status), "probability":\
             \(FittedLaw.number(share.value)), "endpoints": ["\(names[call])"] }
            """
        }
        guard !lines.isEmpty else { return "" }
        return "    \"faults\": [\n" + lines.joined(separator: ",\n") + "\n    ],"
    }

    private var serviceSection: String {
        """
            // "bytes" are the mean of an answer's; "serviceTime" is the time a worker needs,
            // waiting left out. How tokens travel is not known from a log: as OAuth 2.0 has it.
            "service": {
              "origin": "https://api.example.com",
        \(ServiceText(fit, names).lines.map { "      " + $0 + "," }.joined(separator: "\n"))
              "endpoints": [
        \(fit.endpoints.map(endpoint).joined(separator: ",\n"))
              ]
            }
        """
    }

    private func endpoint(_ call: Int) -> String {
        let logged = fit.log.calls[call]
        var parts = ["\"name\": \(names[call].quoted)"]
        if logged.method != "GET" { parts.append("\"method\": \(logged.method.quoted)") }
        parts.append("\"path\": \(logged.path.quoted)")
        if !fit.needsToken(call) { parts.append("\"needsToken\": false") }
        let bytes = logged.bytes.count > 0 ? logged.bytes.sum / logged.bytes.count : 1_000
        let isList = screens.pages(call)
        let rows: Int64 = isList ? 10 : 1
        parts.append("\"bytes\": \(min(10_000_000, max(11, bytes / rows)))")
        if isList {
            let by = logged.paging.offset > logged.paging.cursor ? "offset" : "cursor"
            parts.append("\"rows\": 10, \"list\": { \"by\": \"\(by)\", \"objects\": 100000 }")
        }
        if logged.requestBytes.count > 0, logged.method != "GET", logged.method != "HEAD" {
            let mean = logged.requestBytes.sum / logged.requestBytes.count
            parts.append("\"requestBytes\": \(min(100_000_000, mean))")
        }
        let law = fit.laws[call]
        if let law { parts.append("\"serviceTime\": \(law.json)") }
        let remark =
            law.map { Self.remark($0, "requests") }
            ?? "\(logged.count) requests, too few for a law of their own: the server's."
        return comment(remark, 8) + "\n        { " + parts.joined(separator: ", ") + " }"
    }
}
