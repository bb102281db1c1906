import SquallFormat
import SquallLive
import SquallFit
import SquallHTTP
import SquallKernel
import SquallLab
import SquallRaces

extension Command {
    static let probe = Command(
        name: "probe",
        summary: "Ask a real token service how it refreshes, expires and refuses tokens.",
        operands: [Operand(name: "URL", count: .one, values: .addresses)],
        options: Option.ofTokenCalls + [
            .owned, .certificates,
            Option(
                "--user", .text("name"),
                "Account that signs in; its password is in the environment variable"
                    + " SQUALL_PASSWORD."),
            Option(
                "--accounts", .path("file"),
                "Test accounts that sign in in turn, as squall drive reads them."),
        ] + ProbeCommand.limits.map(\.option) + [
            Option(
                "--output", .path("file"),
                "Write a profile with the rules that were seen, which squall run accepts.",
                shortName: "-o"),
            Option("--page", .path("file"), "Also write the report as a page."),
            Option("--json", "Print the report as one JSON document."),
            .verdictAlone, .noColor,
        ],
        example: "squall probe http://127.0.0.1:8080 --profile quick",
        perform: { try ProbeCommand(invocation: $0).perform() })
}

/// Asks a token service, prints what it saw, and writes a profile of it.
struct ProbeCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let target = try target(arguments.operands[0], called: "the URL")
        let outputs = try outputs()
        let limits = try arguments.setting(Self.limits, of: ProbeLimits())
        say([
            "Probing \(place(of: target)); Ctrl-C stops it and prints what is known.",
            "Limits: \(Units.grouped(limits.requests)) requests, \(limits.requestsPerSecond)"
                + " requests/s, \(Units.exact(nanoseconds: limits.nanoseconds));"
                + " \(limits.atOnce) refreshes at once, a burst of"
                + " \(Units.counted(limits.burst, "call")).",
        ])
        let (calls, accounts) = try callsAndAccounts(target)
        say(calls.guesses.map { "note: \($0)" })
        var report = try interruption.awaited {
            try probed(target, calls, accounts, limits).tryingDesigns(isStopped: isStopped)
        }
        report.drillServer = report.tokens.semantics.map { DrillServer.nearest(to: $0).name }
        return end(
            with: interruption.code(otherwise: .passed),
            beside: [
                BesideFile { [report] in try outputs.profile.map { try write(report, to: $0) } },
                BesideFile(outputs.page, report.document.html),
            ]
        ) { _ in show(report.document, json: report.json.document, isVerdictAlone: isQuiet) }
    }

    private func probed(
        _ target: DriveTarget, _ calls: TokenCalls, _ accounts: [UserAccount],
        _ limits: ProbeLimits
    ) throws -> ProbeReport {
        var line = StatusLine(console: console, isQuiet: isQuiet)
        defer { line.clear() }
        let probe = try connecting {
            try TokenProbe(
                target, calls, as: accounts, limits, clock: { RealClock.nanoseconds },
                isStopped: isStopped
            ) { elapsed, requests in
                line.show { _ in
                    "\(Units.approximate(nanoseconds: elapsed / Span.second * Span.second)) of"
                        + " \(Units.exact(nanoseconds: limits.nanoseconds))"
                        + " · \(Units.counted(requests, "request"))"
                }
            }
        }
        let report = probe.run()
        guard let failure = report.failure else { return report }
        throw failure.isUnreachable
            ? CommandFailure.inputOutput("\(failure.reason); is the server running?")
            : CommandFailure.invalid(failure.reason)
    }

    private static let usual = ProbeLimits()
    fileprivate static let limits: [FieldOption<ProbeLimits>] = [
        FieldOption(
            "--for", .duration(10 * Span.second...Span.day), \.nanoseconds,
            "Maximum duration, such as 20m; \(Units.exact(nanoseconds: usual.nanoseconds)) by"
                + " default. Lifetimes and leeways of up to 40 % of it are measured."),
        FieldOption(
            "--max-requests", .count(10...100_000), \.requests,
            "Maximum number of requests; \(usual.requests) by default."),
        FieldOption(
            "--max-rate", .count(1...10_000), \.requestsPerSecond,
            "Maximum requests per second; \(usual.requestsPerSecond) by default."),
        FieldOption(
            "--at-once", .count(2...100), \.atOnce,
            "Number of parallel refreshes with one token; \(usual.atOnce) by default."),
        FieldOption(
            "--burst", .count(0...10_000), \.burst,
            "Number of calls sent as fast as allowed to reach a rate limit; \(usual.burst)"
                + " by default."),
    ]

    private func outputs() throws -> (profile: OutputFile?, page: OutputFile?) {
        // The profile's name leads to a file, too.
        let profile = try arguments.text("--profile").map { try file($0).path }
        let inputs = [arguments.text("--accounts"), certificates, profile]
            .compactMap { $0.map(console.file) }
        let (output, page) = (outputFile("--output"), outputFile("--page"))
        try output?.check("--output", inputs: inputs)
        try output?.checkNew()
        try page?.check("--page", inputs: inputs, others: [output].compactMap { $0 })
        return (output, page)
    }

    private func say(_ lines: [String]) {
        if !lines.isEmpty { console.write(lines.map(\.visible).lines, to: .error) }
    }

    /// Writes a profile: the one that said how the service is called, or a draft, with what was
    /// seen in place of its own settings.
    private func write(_ report: ProbeReport, to file: OutputFile) throws {
        let settings = report.settings
        let text: (document: JSONNode, refused: [String])
        if let word = arguments.text("--profile") {
            let base = try self.file(word)
            let declares = try profile(in: base).document["backend"]?["service"] != nil
            text = try document(
                of: base.bytes(), base.path, settings, declares ? report.refusals : [])
        } else {
            let call = report.calls.protected.map { call in
                let path = String(call.target.prefix { $0 != "?" })
                return ProfileDraft.ofCall(call.method.rawValue, path)
            }
            let draft = (call ?? .example).text(for: file.path.quotedForShell.visible)
            text = try document(
                of: Array(draft.utf8), "the draft", settings,
                report.calls.settings + report.refusals)
        }
        for path in text.refused { tell("note: no profile can have what was seen of \(path)") }
        let facts = settings.map { "\($0.path): \($0.value.plain)" }
        let lines =
            ["Token rules as squall probe saw them at \(report.target):"] + facts.map { "  " + $0 }
            + ["Everything else is as it was before, or a draft's."]
        let head = lines.map { "// \($0.visible)\n" }.joined()
        try file.writeNew(head + text.document.document)
        tell("\(file.path.visible) is written. Try: squall run \(file.path.quotedForShell)")
    }

    /// A profile's document with settings changed; of the further ones those that a profile can
    /// have, and the paths of the others.
    private func document(
        of bytes: [UInt8], _ name: String, _ settings: [(path: String, value: JSON)],
        _ further: [(path: String, value: JSON)]
    ) throws -> (document: JSONNode, refused: [String]) {
        func read(_ settings: [(path: String, value: JSON)]) throws(InvalidProfile) -> JSONNode {
            try Profile.reading(
                bytes, file: name, vocabulary: tool.runner.vocabulary,
                overrides: settings.compactMap {
                    ProfileOverride(setting: "\($0.path)=\($0.value.plain)")
                }
            ).document
        }
        if let document = try? read(settings + further) { return (document, []) }
        var (kept, refused) = (settings, [String]())
        for setting in further {
            if (try? read(kept + [setting])) != nil {
                kept.append(setting)
            } else {
                refused.append(setting.path)
            }
        }
        return (try read(kept), refused)
    }
}
