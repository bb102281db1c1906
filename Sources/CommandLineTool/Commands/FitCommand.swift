import Foundation
import SquallBackend
import SquallFormat
import SquallFit
import SquallHTTP
import SquallKernel
import SquallLab

extension Command {
    static let fit = Command(
        name: "fit",
        summary: "Build a profile from an access log and validate it against the log.",
        operands: [Operand(name: "log", count: .atLeastOne, values: .files)],
        options: [
            Option(
                "--output", .path("file"),
                "Write the profile to this file; by default only the findings are"
                    + " printed.", shortName: "-o"),
            Option(
                "--format", .text("format"),
                "Format of the log: nginx's log_format, Apache's LogFormat,"
                    + " 'json duration=took:ms',"
                    + " or one of \(LogFormats.words.joined(separator: ", ")); detected by default."
            ),
            Option(
                "--include", .text("path"),
                "Keep only requests with this path, such as '/api/*' or 'GET /search'; '*' keeps"
                    + " all. By default static files, health checks and bots are left out.",
                repeats: true),
            Option(
                "--exclude", .text("path"), "Leave out requests with this path.", repeats: true),
            Option(
                "--openapi", .path("file"),
                "Name the calls as this OpenAPI 3 document does."),
            Option(
                "--keep-words",
                "Keep path segments that fewer than three users requested; they may be personal"
                    + " data."),
            Option("--force", "Write the profile even if the check finds that it is not usable."),
            Option(
                "--workers", .count(1...1_000_000),
                "Number of requests that the server works on at once, if the log does not show"
                    + " it."),
            Option(
                "--load", .text("kind"),
                "closed: the same users come back; open: visits arrive at a rate. Detected by"
                    + " default."),
            Option("--no-check", "Do not validate the model against the log."),
            Option("--page", .path("file"), "Also write the report as a page with charts."),
            Option("--json", "Print the report as one JSON document."), .full,
            .verdictAlone, .noColor,
        ],
        example: "squall fit access.log -o my-api.json",
        perform: { try FitCommand(invocation: $0).perform() })
}

/// Fits a profile to logs.
struct FitCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        try interruption.awaited { try fit() }
    }

    private func fit() throws -> ExitCode {
        let options = try options()
        let outputs = try outputs()
        let log: TrafficLog
        do { log = try named(readLogs()) } catch is StoppedReading {
            console.write("interrupted while reading; nothing is written\n", to: .error)
            return interruption.exitCode
        }
        let fit = TrafficFit(log, options: options)
        if let reason = fit.emptiness {
            throw CommandFailure.invalid(
                "\(arguments.operands.joined(separator: ", ")): \(reason)")
        }
        let name = arguments.text("--output") ?? "my-api.json"
        let text = FittedProfile(fit, file: name.quotedForShell.visible).text
        _ = try read(fitted: text)
        let comparison =
            arguments.has("--no-check")
            ? nil : try ModelTraffic(of: fit).flatMap { try self.comparison($0) }
        let isUsable = comparison?.isUsable ?? true
        let isWritten = isUsable || arguments.has("--force")
        let document = FitDocument(
            fit, subject: URL(filePath: name).deletingPathExtension().lastPathComponent,
            replay: replayCommand, comparison: comparison)
        let written = BesideFile {
            guard let file = outputs.profile else { return }
            if isWritten { try file.writeNew(text) }
            let path = file.path.visible
            let next =
                switch document.verdict {
                case .notUsable: ", but it is not usable as it is"
                case .notReliable: ", but it is not reliable, and no capacity of it is"
                default: ". Try: squall capacity \(file.path.quotedForShell)"
                }
            tell(
                isWritten
                    ? "\(path) is written\(next)"
                    : "\(path) is not written; --force writes it all the same")
        }
        return end(
            with: interruption.code(otherwise: isWritten ? .passed : .failed),
            beside: [written, BesideFile(outputs.page, document.answer.html)]
        ) { _ in show(document.answer, json: document.json.document, isVerdictAlone: isQuiet) }
    }

    /// The log with its calls named as the document names them that is given for it.
    private func named(_ log: TrafficLog) throws -> TrafficLog {
        guard let path = arguments.text("--openapi") else { return log }
        var log = log
        let bytes = try ProfileFile.readable(path) {
            try ProfileFile.bytes(
                of: console.file($0), atMost: ProfileDraft.openAPIBytesMax + 1)
        }
        do {
            let known = try log.name(by: bytes, file: path)
            tell("note: \(path.visible) names \(Units.counted(Int64(known), "call")) of the log.")
        } catch let error as OpenAPIError { throw CommandFailure.invalid(error.description) }
        return log
    }

    private func options() throws -> TrafficFit.Options {
        var options = TrafficFit.Options(workers: arguments.count("--workers").map(Int.init))
        let kinds = ["closed": true, "open": false]
        let isClosed = try arguments.value("--load", as: "closed or open") { kinds[$0] }
        options.isClosed = isClosed ?? options.isClosed
        return options
    }

    private func outputs() throws -> (profile: OutputFile?, page: OutputFile?) {
        let inputs = arguments.operands.filter { $0 != "-" }.map(console.file)
        let (profile, page) = (outputFile("--output"), outputFile("--page"))
        try profile?.check("--output", inputs: inputs)
        try profile?.checkNew()
        try page?.check("--page", inputs: inputs, others: [profile].compactMap { $0 })
        return (profile, page)
    }

    /// Runs a model of the log, and compares the two; nil if the run was interrupted.
    private func comparison(_ model: ModelTraffic) throws -> TrafficComparison? {
        var model = model
        var options = LoadRun.Options(replayCommand: "")
        options.serverLog = { record in
            model.take(
                record.endpoint.name, began: record.arrived.nanoseconds,
                replied: record.replied.nanoseconds, status: record.status,
                user: record.cause.user)
        }
        _ = try run(read(fitted: model.profile), named: "check", options)
        return interruption.isRequested ? nil : model.comparison
    }

    /// The profile that was fitted, as its text is read.
    private func read(fitted text: String) throws -> Profile {
        do {
            return try Profile.read(
                Array(text.utf8), file: "the fitted profile", vocabulary: tool.runner.vocabulary)
        } catch {
            throw CommandFailure.invalid(
                "what was fitted to \(arguments.operands.joined(separator: ", ")) is out of the"
                    + " range of profiles; is a field read in the wrong unit? Say it with --format,"
                    + " as 'json duration=took:ms':\n\(error)")
        }
    }
}
