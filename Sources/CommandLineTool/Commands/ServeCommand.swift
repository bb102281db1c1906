import Foundation
import SquallApps
import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallLive
import SquallRaces
import SquallServices
import SquallSockets

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "Serve a profile's backend in real time, or proxy a real one, for any app.",
        operands: [Operand(name: "profile", count: .atMostOne, values: .profiles)],
        options: Option.upstream + Option.liveDrills + [
            Option(
                "--port", .count(0...65_535),
                "Port to listen on; 8080 by default, 0 for a free one."),
            Option(
                "--bind", .text("address"),
                "Numeric address to listen on, such as 0.0.0.0; by default 127.0.0.1 and ::1, which"
                    + " only this machine reaches."),
            Option(
                "--allow-origin", .text("origin"),
                "Let pages of this origin use the server, with the user's cookies, such as"
                    + " https://app.example.com; may be given several times. By default with"
                    + " --upstream those of this machine, else every origin without cookies.",
                repeats: true),
            Option(
                "--speed", .text("factor"),
                "Seconds of the profile per second of real time; 1 by default."),
            Option(
                "--expire-every", .duration(Span.second...Span.day),
                "Expire all access tokens periodically, such as every 30s."),
            Option(
                "--expire-after", .duration(Span.second...Span.year),
                "Lifetime of access tokens, instead of the profile's accessLifetime or the real"
                    + " backend's."),
            Option(
                "--for", .duration(Span.second...Span.year),
                "Stop after this time; by default Ctrl-C stops it."),
            .environmentName, .virtual, .schedules, Option.seed, Option.set,
        ] + ServeOutputs.options + ServeCommand.limits.map(\.option) + [
            .out, Option("--json", "Print the report as one JSON document."), .full,
            Option("--junit", .path("file"), "Also write the findings as a JUnit report."),
            .verdictAlone, .noColor,
        ],
        example: "squall serve quick --expire-every 30s -- npm test", runsCommand: true,
        perform: { try ServeCommand(invocation: $0).perform() })
}

/// Serves a profile's backend until it is interrupted or its time is over.
struct ServeCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        if let address = arguments.text("--upstream") { return try proxy(to: address) }
        try refuseUpstreamOptions()
        guard let word = arguments.operands.first else {
            throw CommandFailure.usage("name a profile, or a real backend with --upstream")
        }
        let file = try file(word)
        let loaded = try profile(in: file)
        let document = loaded.document.document
        let setup = try setup(of: loaded.profile, file.name, presentEpoch)
        let inputs = word == "-" ? [] : [console.file(file.path)]
        return try serve(
            setup, as: file.name, document, inputs: inputs, beside: loaded.draftFile)
    }

    /// Serves to the end, and keeps the results; `document` is the profile that is served.
    func serve(
        _ setup: LiveSetup, as name: String, _ document: String? = nil, inputs: [URL] = [],
        beside others: [(name: String, text: String)] = []
    ) throws -> ExitCode {
        let outputs = try ServeOutputs(self, setup, document: document, inputs: inputs)
        return try keeping(resultsOf: name) { folder in
            let started = (date: console.date, elapsed: console.elapsedNanoseconds)
            func files(of report: LiveReport) -> [(name: String, text: String)] {
                [
                    ("report.html", report.document.html), ("summary.json", report.json.document),
                    ("junit.xml", report.junit),
                ] + (document.map { [(ResultFolder.profile, $0)] } ?? []) + others
            }
            let report = try scheduled(setup) { setup in
                try served(setup, outputs) {
                    // What is still under way is waited for; these results are there before.
                    folder.prepare(files(of: $0), as: Self.resultName + "-incomplete")
                }
            }
            let code: ExitCode =
                report.passes == false || report.isNotJudged ? .failed : .passed
            // Ctrl-C is the usual end of a server, but not of one with a command.
            return end(
                with: report.commands.isEmpty ? code : interruption.code(otherwise: code),
                keeping: {
                    let manifest = manifest(ofRequests: report.requests, since: started)
                    return try folder.keep(files(of: report), manifest, as: Self.resultName)
                },
                beside: outputs.files + [BesideFile(outputFile("--junit"), report.junit)]
            ) { _ in
                show(report.document, json: report.json.document, isVerdictAlone: isQuiet)
            }
        }
    }

    private static let resultName = "serve"

    /// Serves to the end; `ending` is told what there is when that begins.
    private func served(
        _ setup: LiveSetup, _ outputs: ServeOutputs, ending: @escaping (LiveReport) -> Void
    ) throws -> LiveReport {
        do {
            let command = try accompanying(setup)
            let server = try LiveServer(
                setup, in: command?.stepped, isStopped: command?.isOver ?? isStopped)
            server.found = { sayMore(["✗ " + $0.sentence]) }
            outputs.listen(to: server)
            defer { outputs.seenTokens = outputs.seenTokens ?? server.seenTokens }
            server.ending = ending
            server.refused = { say(["note: " + $0]) }
            server.drilled = { sayMore([$0.line]) }
            server.asked = { say(["→ " + $0.text]) }
            server.hinted = { say(["· " + $0]) }
            let base = try listen(server)
            if let command {
                return try command.run(before: server, at: base, isDrilled: setup.drills != nil)
            }
            if let plan = setup.upstream {
                welcome(plan, base)
                if let problem = server.upstreamProblem {
                    tell("warning: \(problem); requests get 502 until it can be")
                }
            } else {
                welcome(server, setup, base)
            }
            if setup.drills != nil { sayMore([drillSpan(server)]) }
            try server.run()
            return server.report
        } catch let problem as SocketServer.Problem {
            guard problem.number != EINVAL else {
                throw CommandFailure.usage(
                    "--bind must be a numeric address such as 0.0.0.0 or ::, got"
                        + " '\(arguments.text("--bind") ?? "")'")
            }
            guard problem.number != 0 else {
                throw CommandFailure.usage("cannot \(problem.action)")
            }
            let hint = problem.number == EADDRINUSE ? "; give another --port" : ""
            throw failure(of: problem, hint)
        }
    }

    /// Prints lines where they do not mix with the answer in JSON.
    func say(_ lines: [String]) {
        console.write(lines.lines, to: arguments.has("--json") ? .error : .output)
    }

    /// Prints lines as ``say(_:)`` does, unless the verdict alone is to be printed.
    func sayMore(_ lines: [String]) {
        if !isQuiet { say(lines) }
    }

    /// The setup of a profile's services, from a moment of the calendar on.
    func setup(
        of given: Profile, _ name: String, _ epoch: Epoch
    ) throws -> LiveSetup {
        var profile = given
        if let seed = arguments.seed("--seed") { profile.seed = seed }
        if let life = arguments.nanoseconds("--expire-after") {
            profile.backend.tokens.accessLifetimeNanoseconds = life
        }
        guard let app = profile.app(named: profile.populations[0].app) else {
            preconditionFailure("a checked profile names an unknown app")
        }
        var setup = LiveSetup(
            name: name, seed: profile.seed, backend: BackendPlan(profile),
            services: ServicesPlan(profile), origin: app.origin)
        // In virtual time every run has the same calendar.
        if !arguments.has(Option.virtual.name) { setup.services.epoch = epoch }
        setup.speed = try speed()
        try takeShared(&setup)
        setup.limits = try arguments.setting(Self.limits, of: setup.limits)
        setup.drills = try drillPlan()
        return setup
    }

    func takeShared(_ setup: inout LiveSetup) throws {
        setup.keepsWords = arguments.has("--keep-words")
        setup.asking.origins = Set(
            try arguments.values(
                "--allow-origin", as: "an origin such as https://app.example.com",
                WhoMayAsk.origin))
        setup.expireEveryNanoseconds = arguments.nanoseconds("--expire-every")
        setup.durationNanoseconds = arguments.nanoseconds("--for")
    }

    private func speed() throws -> Double {
        try arguments.value("--speed", as: "a factor from 0.001 to 1000") { text in
            Double(text).flatMap { (0.001...1_000).contains($0) ? $0 : nil }
        } ?? 1
    }

    /// Listens, and returns the address to call.
    private func listen(_ server: LiveServer) throws -> String {
        let usual: Int64 = arguments.ownCommand.isEmpty ? 8_080 : 0
        let port = UInt16(arguments.count("--port") ?? usual)
        if let address = arguments.text("--bind") {
            let bound = try server.listen(on: address, port: port)
            return "http://\(address.contains(":") ? "[\(address)]" : address):\(bound)"
        }
        let bound = try server.listen(on: "127.0.0.1", port: port)
        guard !arguments.has(Option.virtual.name) else { return "http://127.0.0.1:\(bound)" }
        // Many clients try localhost as ::1 first; a machine without IPv6 does without.
        _ = try? server.listen(on: "::1", port: bound)
        return "http://localhost:\(bound)"
    }

    /// Prints where it is, who can sign in, which calls there are, and how to try them.
    private func welcome(_ server: LiveServer, _ setup: LiveSetup, _ base: String) {
        let count = UInt64(setup.services.userCount)
        let accounts = (0..<min(3, count)).map(server.credentials)
        say([
            "Serving \(setup.name) at \(base)",
            "Status and control: \(base)/_squall/ (Ctrl-C stops it and prints the verdict)",
        ])
        sayMore([
            "",
            "Accounts (\(accounts.count) of \(Units.grouped(Int64(count))); the others are numbered"
                + " alike):",
        ])
        sayMore(accounts.map { "  \($0.email)  \($0.password)" })
        guard let access = setup.services.access(at: setup.origin), let first = accounts.first
        else {
            return
        }
        // Two calls can have one path, as in OAuth; the report calls them by their names.
        var table = TextTable(leftAligned: [0, 1, 2])
        for endpoint in access.endpoints {
            table.append([endpoint.method.rawValue, endpoint.path, endpoint.name])
        }
        sayMore(["", "Endpoints, with their names in the report:"] + table.lines(width: 200))
        let lines = access.curlLines(base: base, first)
        sayMore(["", "To try it, paste these lines one after the other:"] + lines + [""])
    }
}

extension ServeCommand {
    private static let usual = HTTPLimits()
    /// The limits of each client's requests.
    static let limits: [FieldOption<HTTPLimits>] = [
        FieldOption(
            "--max-connections", .count(1...100_000), \.connections,
            "Maximum number of open connections; \(usual.connections) by default."),
        FieldOption(
            "--max-pending", .count(1...1_000_000), \.pendingRequests,
            "Maximum number of requests in flight; \(usual.pendingRequests) by default."),
        FieldOption(
            "--max-header", .count(256...16_777_216), \.headBytes,
            "Maximum size of a request's head in bytes; \(usual.headBytes) by default."),
        FieldOption(
            "--max-body", .count(0...1_073_741_824), \.bodyBytes,
            "Maximum size of a request's body in bytes; \(usual.bodyBytes) by default."),
        FieldOption(idleTimeout, set: setIdleTimeout),
        FieldOption(
            "--close-after", .count(1...1_000_000_000), \.requestsPerConnection,
            "Close a connection behind so many requests; never by default."),
        FieldOption(
            "--header-timeout", .duration(Span.second...Span.hour), \.headNanoseconds,
            "Close a connection if a request's head takes longer to arrive;"
                + " \(usual.headNanoseconds / Span.second)s by default."),
    ]

    private static let idleTimeout = Option(
        "--idle-timeout", .text("duration"),
        "Close a connection after this time without traffic, or one that rests when"
            + " gunicorn, nginx or another server would by default;"
            + " \(usual.idleNanoseconds / Span.second)s by default.")

    /// Sets a time, or what a server has by default.
    @Sendable private static func setIdleTimeout(
        _ arguments: Arguments, of limits: inout HTTPLimits
    ) throws(CommandFailure) {
        guard let text = arguments.text(idleTimeout.name) else { return }
        if let rest = ServerIdleLimit.nanoseconds(of: text) {
            return limits.restNanoseconds = rest
        }
        guard let span = try? Units.nanoseconds(text), (Span.second...Span.hour).contains(span)
        else {
            let servers = ServerIdleLimit.all.map(\.name)
            throw .usage(
                "\(idleTimeout.name) must be 1s…1h or a server, got \(text)."
                    + Spelling.hint(for: text, among: servers) + Spelling.known(servers))
        }
        limits.idleNanoseconds = span
    }
}
