import SquallAnswers
import SquallApps
import SquallFormat
import SquallKernel
import SquallLab

extension Command {
    static let apps = Command(
        name: "apps",
        summary: "Measure how each app and token design refreshes, retries and waits.",
        operands: [
            Operand(
                name: "app", count: .any,
                values: .wordsOrFiles(DesignTable.apps + [PresetTable.word]))
        ],
        options: [
            Option(
                "--full",
                "Print all details even if no app is named, and more than"
                    + " \(AnswerDocument.linesAtMost) lines."),
            Option(
                "--errors",
                "Print what users of each screen see, by the status of the server's response."),
            Option("--json", "Print the report as one JSON document."),
            Option("--page", .path("file"), "Also write the report of one app as a page."),
            .noColor,
        ],
        example: "squall apps \(AppRegistry.example)",
        perform: { try AppsCommand(invocation: $0).perform() })
}

/// Tries apps one after the other, and shows a table of the results.
private struct AppsCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        try ExecutorSelfTest.run()
        try arguments.checkOutputs(
            ["--page"], inputs: arguments.operands.filter(ProfileFile.isPath).map(console.file),
            console: console)
        guard arguments.operands != [PresetTable.word] else { return try performPresets() }
        let candidates = try candidates()
        let isBrief = arguments.operands.isEmpty && !arguments.has("--full")
        let isOne = candidates.count == 1 || isBrief && !arguments.has("--errors")
        guard isOne || !arguments.has("--page") else {
            throw CommandFailure.usage(
                "--page shows one app, and \(candidates.count) were asked for; name one")
        }
        guard !arguments.has("--errors") else { return try performErrors(candidates) }
        let tables = try interruption.each(of: candidates) { candidate in
            let place = candidate.place.stopping(when: isStopped)
            return try AppAnswers(
                of: candidate.app, in: place, hasStories: candidate.isRegistered)
        }
        return end(
            isBrief ? [AppsAtAGlance(tables).document] : tables.map(\.document),
            JSON.array(tables.map(\.json)), tables.count, of: candidates.count)
    }

    private func performPresets() throws -> ExitCode {
        let table = try PresetTable(stopping: isStopped)
        return end([table.document], table.json, 1, of: 1)
    }

    private func performErrors(_ candidates: [Candidate]) throws -> ExitCode {
        let tables = try interruption.each(of: candidates) { candidate in
            try ResponseTable(of: candidate.app, in: candidate.place.stopping(when: isStopped))
        }
        return end(
            tables.map(\.document), JSON.array(tables.map(\.json)), tables.count,
            of: candidates.count)
    }

    /// Shows what was found of so many apps.
    private func end(
        _ documents: [AnswerDocument], _ json: JSON, _ count: Int, of all: Int
    ) -> ExitCode {
        end(
            with: interruption.code(otherwise: .passed),
            beside: documents.first.map { [BesideFile(outputFile("--page"), $0.html)] } ?? []
        ) { _ in
            if arguments.has("--json") {
                console.write(json.document, to: .output)
            } else {
                for (place, document) in documents.enumerated() {
                    if place > 0 { console.write("\n", to: .output) }
                    show(document)
                }
            }
            tellInterrupted(count, of: all, "app")
        }
    }

    /// An app, and the services that it is tried with.
    private struct Candidate: Sendable {
        let app: AppDescription
        let place: DesignPlace
        /// True for an app in code, as opposed to one that a profile declares.
        var isRegistered = false
    }

    /// The apps that the words name, built in or declared in profiles; all built-in ones for none.
    private func candidates() throws -> [Candidate] {
        let words = DesignTable.apps + [PresetTable.word]
        let operands = arguments.operands
        return try (operands.isEmpty ? DesignTable.apps : operands).flatMap { word -> [Candidate] in
            if let app = AppRegistry.app(named: word) {
                return [Candidate(app: app, place: .ofOnePhone, isRegistered: true)]
            }
            guard word == "-" || ProfileFile.isPath(word) else {
                throw CommandFailure.usage(
                    "there is no app '\(word)'." + Spelling.hint(for: word, among: words)
                        + Spelling.known(words) + ". For an app of your own,"
                        + " give the file of the profile that declares it.")
            }
            let file = try file(word)
            let profile = try profile(in: file).profile
            let declared = profile.declaredApps
            guard !declared.isEmpty else {
                throw CommandFailure.usage(
                    "\(file.path) declares no app in /apps; squall apps shows those built in")
            }
            return declared.map { Candidate(app: $0, place: DesignPlace(profile)) }
        }
    }
}
