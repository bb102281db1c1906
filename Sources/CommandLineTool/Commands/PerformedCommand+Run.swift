import SquallFormat
import SquallLab
import SquallReport

extension Option {
    /// The options for where the answer of a run goes, and in which form.
    static let ofAnswer: [Option] = [
        .out,
        Option("--json", "Print the summary as one JSON document; a list for several profiles."),
        Option("--full", "Print every table instead of the first 60 lines."),
        Option(
            "--junit", .path("file"),
            "Also write the thresholds of all profiles as one JUnit report."),
        Option("--summary", .path("file"), "Also write the output of --json to a file."),
        Option(
            "--markdown", .path("file"),
            "Also write verdict, answer and changes as Markdown, for a comment on a pull request."),
        Option(
            "--baseline", .path("file"),
            "Earlier result that --markdown compares with: a file of --summary, or the folder of a"
                + " run."),
    ]
}

/// Parts of a run of one profile that are equal for a simulated and a real server.
extension PerformedCommand {
    /// The profile with the settings of the command line.
    func overridden(_ loaded: LoadedProfile) throws -> LoadedProfile {
        var loaded = loaded
        var written = try arguments.applied(to: loaded.profile)
        tellWarmUp(of: written, plannedAs: loaded.profile)
        let planned = loaded.profile.durationNanoseconds
        loaded.profile = written
        tellFormerNames(in: loaded.document)
        let document = written.written(in: loaded.document)
        let isReadable =
            (try? Profile.read(
                Array(document.document.utf8), file: "", vocabulary: tool.runner.vocabulary)) != nil
        // With --for the profile's faults may begin after its end, which is no error here.
        written.durationNanoseconds = planned
        loaded.document = isReadable ? document : written.written(in: loaded.document)
        return loaded
    }

    /// Says which names in thresholds this release accepts for the last time.
    private func tellFormerNames(in document: JSONNode) {
        let thresholds = document["thresholds"]?.members ?? []
        for (former, present) in MetricCatalogue.formerNames
        where thresholds.contains(where: { $0.name.contains(former) }) {
            tell("note: \(former) is called \(present); this release accepts both in thresholds")
        }
    }

    /// Says that `--for` leaves less warm-up than the profile asks for, if it does.
    func tellWarmUp(of applied: Profile, plannedAs planned: Profile) {
        guard case .first(let whole) = planned.warmUp, case .first(let rest) = applied.warmUp,
            rest < whole
        else { return }
        let span = Units.exact(nanoseconds: applied.durationNanoseconds)
        tell(
            "note: --for \(span) shortens the warm-up from \(Units.exact(nanoseconds: whole)) to"
                + " \(Units.setting(nanoseconds: rest)); the run may not be steady by then")
    }

    func exitCode(of verdict: Verdict) -> ExitCode {
        switch verdict {
        case .passed, .noVerdict: .passed
        case .notMeasured: arguments.has(Option.strict.name) ? .failed : .passed
        case .partial: interruption.exitCode
        default: .failed
        }
    }

    func print(_ summary: RunSummary) {
        // With several profiles the verdicts are in the list at the end, and so is the JSON.
        let isJSON = arguments.has("--json")
        guard !isQuiet && !isJSON || arguments.operands.count == 1 else { return }
        if isJSON { return console.write(Self.json([summary]), to: .output) }
        let text = TextSummary(
            summary, style: style, width: console.width(of: .output),
            isFull: arguments.has("--full"))
        console.write(isQuiet ? text.verdictAlone : text.text, to: .output)
    }
}
