import Foundation
import SquallBackend
import SquallDocument
import SquallFit
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallReport

extension Command {
    static let fit = Command(
        name: "fit",
        summary: "Build a profile from an access log and validate it against the log.",
        operands: [Operand(name: "log", count: .atLeastOne, values: .files)],
        options: [
            Option(
                "--output", .path("file"),
                "Write the profile; without it only what was found is printed.", shortName: "-o"),
            Option(
                "--format", .text("format"),
                "How lines are written: nginx' log_format, Apache's LogFormat, combined, common,"
                    + " alb, json, 'json duration=took:ms', har, otlp or prometheus; found out by"
                    + " default."),
            Option(
                "--workers", .count(1...1_000_000),
                "How many requests the server works on at once, where the log does not tell."),
            Option(
                "--load", .text("kind"),
                "closed for people who come back, open for visits that arrive; found out by"
                    + " default."),
            Option("--no-check", "Do not run the model and hold it against the log."),
            Option("--page", .path("file"), "Write the answer as a page with charts, too."),
            Option("--json", "Print the answer as one JSON document."),
            .verdictAlone, .noColor,
        ],
        example: "squall fit access.log -o my-api.json",
        perform: { try FitCommand(invocation: $0).perform() })
}

/// Fits a profile to logs.
struct FitCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let options = try options()
        let outputs = try outputs()
        let log: TrafficLog
        do { log = try readLogs() } catch is StoppedReading {
            console.write("interrupted while reading; nothing is written\n", to: .error)
            return interruption.exitCode
        }
        let fit = TrafficFit(log, options: options)
        guard !fit.isEmpty else {
            throw CommandFailure.invalid(
                "no call in \(arguments.operands.joined(separator: ", ")) is one that a profile"
                    + " could have")
        }
        let name = arguments.text("--output") ?? "my-api.json"
        let text = FittedProfile(fit, file: name.quotedForShell.visible).text
        _ = try read(fitted: text)
        // Written before the check, so that an interruption does not lose the profile.
        try outputs.profile?.writeNew(text)
        let comparison =
            arguments.has("--no-check")
            ? nil : try ModelTraffic(of: log, options).flatMap { try self.comparison($0) }
        let document = FitDocument(
            fit, subject: URL(filePath: name).deletingPathExtension().lastPathComponent,
            replay: replayCommand, comparison: comparison)
        try outputs.page?.write(document.answer.html)
        show(document.answer, json: document.json.document, isVerdictAlone: isQuiet)
        if let path = outputs.profile?.path {
            tell("\(path.visible) is written. Try: squall capacity \(path.quotedForShell)")
        }
        return interruption.code(otherwise: .passed)
    }

    private func options() throws -> TrafficFit.Options {
        var options = TrafficFit.Options(workers: arguments.count("--workers").map(Int.init))
        let kinds = ["closed": true, "open": false]
        let isClosed = try arguments.values("--load", as: "closed or open") { kinds[$0] }.first
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
            throw CommandFailure(
                code: .internalError, description: "no profile can have what was fitted:\n\(error)")
        }
    }
}
