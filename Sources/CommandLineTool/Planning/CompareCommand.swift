import Foundation
import SquallAnswers
import SquallFormat
import SquallLab
import SquallReport

extension Command {
    static let compare = Command(
        name: "compare",
        summary: "Compare two designs on the same seeds, or a driven run with its profile.",
        operands: [Operand(name: "profile", count: .atLeastOne, values: .profiles)],
        options: [
            Option(
                "--with", .text("path=value"),
                "With one profile: a setting of B that differs from A; may be given several"
                    + " times.", repeats: true),
            Option(
                "--replications", .count(2...100_000),
                "Number of seeds for each side; 10 by default."),
            .failIf,
        ] + Option.ofProfile + Option.ofPlanning.filter { $0.name != "--max-replications" }
            + Option.ofAnswers,
        example: "squall compare quick --with populations[0].design=reference",
        perform: { try CompareCommand(invocation: $0).perform() })
}

/// Compares two profiles, two variants of one profile, or stored results.
///
/// Stored results, such as a baseline in a repository, are `replications.json` of `squall run
/// --replications` or `summary.json` of one run, or the folder of either. A profile compared with
/// stored results runs with their seeds; one compared with a driven run, as that was driven.
struct CompareCommand: PerformedCommand {
    let invocation: Invocation

    private static let replications: Int64 = 10

    func perform() throws -> ExitCode {
        let gates = try arguments.texts(Option.failIf.name).map(ComparisonGate.init)
        let (a, b) = try sides()
        let name =
            arguments.operands.lazy.compactMap { word in
                (try? file(word))?.name
            }.first ?? "comparison"
        return try answer(named: name) { replicator in
            let count = Int(arguments.count("--replications") ?? Self.replications)
            if let driven = a.driven, case .asked(let name, let asked) = b {
                return try ComparisonAnswer.ofDriven(
                    driven, name, asked, seeds: count, gates: gates, replay: replayCommand,
                    replicator)
            }
            let (left, right) = try ComparisonSide.both(a, b, seeds: count, replicator)
            var answer = ComparisonAnswer(
                left, right, gates: gates, replay: replayCommand,
                drawsFitted: arguments.has("--fitted-uncertainty"))
            let asked = [a, b].compactMap { side in
                if case .asked(_, let experiment) = side { experiment.profile } else { nil }
            }
            let rows = [left.assumed, right.assumed, try assumed(in: asked, of: name) ?? []]
            answer.assumed = rows.allSatisfy(\.isEmpty) ? nil : .united(rows)
            return answer
        }
    }

    private func sides() throws -> (ComparisonSide.Source, ComparisonSide.Source) {
        let with = try arguments.settings("--with", as: "populations[0].design=reference")
        let words = arguments.operands
        // Both sides run with each seed, whatever the profiles say.
        if arguments.texts("--with").contains(where: { $0.hasPrefix("seed=") }) {
            throw CommandFailure.usage(
                "--with seed=… changes nothing, as both sides run with the same seeds: --seed says"
                    + " with which they begin, --replications how many there are")
        }
        switch (words.count, with.isEmpty) {
        case (1, false): return (try side(words[0]), try side(words[0], with))
        case (2, true):
            let (a, b) = (try side(words[0]), try side(words[1]))
            if a.driven != nil { return (a, b.driven == nil ? try simulated(b, words[1]) : b) }
            // The driven one of two is A.
            return b.driven == nil ? (a, b) : (b, try simulated(a, words[0]))
        case (1, true):
            let a = try side(words[0])
            if a.driven != nil { return (a, try simulated(a, words[0])) }
            throw CommandFailure.usage(
                "squall compare needs a second profile or result, or what is different in B:"
                    + " --with populations[0].design=reference")
        default:
            throw CommandFailure.usage(
                "squall compare takes two profiles or results, or one profile and --with")
        }
    }

    private func side(_ word: String, _ with: [ProfileOverride] = []) throws
        -> ComparisonSide.Source
    {
        if let kept = try kept(word) {
            guard !arguments.has("--fitted-uncertainty") else {
                throw CommandFailure.usage(
                    "--fitted-uncertainty draws settings for both sides, and \(word) was run"
                        + " before; name its profile instead")
            }
            return .kept(kept)
        }
        let file = try file(word)
        let texts = arguments.texts("--with")
        let name = with.isEmpty ? file.name : "\(file.name) with \(texts.joined(separator: ", "))"
        return .asked(name, try experiment(file, further: with))
    }

    /// The simulated side of a comparison with a driven run: a stored run's profile, where it is
    /// beside it, because only a simulation of the same load and the same sign-ins is comparable.
    private func simulated(
        _ side: ComparisonSide.Source, _ word: String
    ) throws -> ComparisonSide.Source {
        guard case .kept = side else { return side }
        let place = console.file(word)
        let folder = place.pathExtension == "json" ? place.deletingLastPathComponent() : place
        let profile = folder.appending(path: ResultFolder.profile)
        guard profile.exists else { return side }
        let file = try ProfileFile(profile.path(percentEncoded: false), console: console)
        return .asked("\(word), simulated", try experiment(file))
    }

    func isKept(_ word: String) throws -> Bool { try kept(word) != nil }

    /// The stored result that a word names; nil if it names none.
    private func kept(_ word: String) throws -> ComparisonSide? {
        let names = ["replications.json", "summary.json"]
        let place = console.file(word)
        let candidates =
            names.contains(place.lastPathComponent)
            ? [place] : names.map { place.appending(path: $0) }
        for file in candidates + (word.hasSuffix(".json") ? [place] : []) {
            guard let kept = try? KeptFile(file) else { continue }
            let document = kept.document
            // A summary has `digest`, replications have `digests`.
            let (isSummary, isAnswer) = (document?["digest"] != nil, document?["digests"] != nil)
            guard isSummary || isAnswer || names.contains(file.lastPathComponent) else { continue }
            if isSummary {
                let summary = try kept.content("result", wayOut: "run the profile again") {
                    try JSONDocument.read(RunSummary.self, from: $0)
                }
                try kept.refuse(partial: summary)
                return ComparisonSide(word, summary)
            }
            return try kept.content("result", wayOut: "run the profile again") {
                ComparisonSide(word, try ReplicationsAnswer.read($0))
            }
        }
        return nil
    }
}
