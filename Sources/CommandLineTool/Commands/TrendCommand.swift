import Foundation
import SquallAnswers
import SquallFormat
import SquallReport

extension Command {
    static let trend = Command(
        name: "trend",
        summary: "Show how a profile's metrics changed from release to release.",
        operands: [
            Operand(
                name: "release", count: .atLeastOne, values: .folders,
                about: "The folder of a release's results, or one that contains them.")
        ],
        options: [
            Option(
                "--figure", .text("name"),
                "Metric to show, such as p99 or 'retries count', instead of the usual ones; may be"
                    + " given several times.", repeats: true),
            .failIf,
            Option("--page", .path("file"), "Also write the report as a page."),
            Option("--csv", .path("file"), "Also write every number as CSV."),
            .noColor,
        ],
        example: "squall trend releases/1.0 releases/1.1 releases/1.2 --page trend.html",
        simulates: false, perform: { try TrendCommand(invocation: $0).perform() })
}

/// Shows stored results of releases side by side; runs nothing.
struct TrendCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let words = words
        let kept = try words.map(kept)
        try arguments.checkOutputs(
            ["--page", "--csv"],
            inputs: kept.flatMap { $0.summaries + $0.capacities + $0.replications },
            console: console)
        let names = Self.names(of: words)
        let (order, places) = ReleaseOrder.of(names, dates: kept.map(date))
        let releases = try places.map { try release(kept[$0], name: names[$0]) }
        let gates = try arguments.texts(Option.failIf.name).map(ComparisonGate.init)
        let figures = arguments.texts("--figure").map { KeyMetrics.fullName(of: $0) ?? $0 }
        let trend = Trend(
            releases, figures: figures.isEmpty ? Trend.figures : figures,
            judging: gates, order: order.rawValue, replay: replayCommand)
        guard !trend.isEmpty else {
            throw CommandFailure.usage(
                "no release has \(figures.joined(separator: ", ")); squall help metrics lists what"
                    + " there is")
        }
        let document = trend.document
        return end(
            with: trend.passes == false ? .failed : .passed,
            beside: [
                BesideFile(outputFile("--page"), document.html),
                BesideFile(outputFile("--csv"), trend.csv),
            ]
        ) { _ in show(document) }
    }

    /// The words for releases, one for each: a pattern such as `Results/quick/*` has a run and the
    /// link `latest` to it.
    private var words: [String] {
        let words = arguments.operands
        let places = words.map { console.file($0).resolvingSymlinksInPath() }
        return words.indices.filter { index in
            let same = words.indices.filter { places[$0].path == places[index].path }
            let own = same.first {
                console.file(words[$0]).lastPathComponent == places[$0].lastPathComponent
            }
            return index == own ?? same.first
        }.map { words[$0] }
    }

    /// The stored results of one release.
    private struct Kept {
        let word: String
        let isFolder: Bool
        let summaries: [URL]
        var capacities: [URL] = []
        var replications: [URL] = []
    }

    /// The results that a word names: a summary, or a folder with results of one release.
    private func kept(_ word: String) throws -> Kept {
        // A link such as `latest` is followed; the listing of a folder does not enter it.
        let place = console.file(word).resolvingSymlinksInPath()
        guard RepeatedRun.isFolder(word, console: console) else {
            return Kept(word: word, isFolder: false, summaries: [place])
        }
        let names = try ProfileFile.readable(word) { _ in
            try FileManager.default.subpathsOfDirectory(
                atPath: place.path(percentEncoded: false))
        }.sorted()
        func files(_ name: String) -> [URL] {
            names.filter { $0 == name || $0.hasSuffix("/" + name) }.map {
                place.appending(path: $0)
            }
        }
        let kept = Kept(
            word: word, isFolder: true, summaries: files("summary.json"),
            capacities: files("capacity.json"), replications: files("replications.json"))
        let all = kept.summaries + kept.capacities + kept.replications
        guard !all.isEmpty else {
            throw CommandFailure.invalid(
                "\(word) has no summary.json, replications.json or capacity.json; keep a release's"
                    + " with squall run … --out \(word.quotedForShell)")
        }
        return kept
    }

    /// The time at which the first of a release's runs began; nil where none of its results says
    /// so.
    private func date(_ kept: Kept) -> String? {
        (kept.summaries + kept.capacities + kept.replications).compactMap { file in
            let manifest = file.deletingLastPathComponent().appending(path: "manifest.json")
            return try? JSONDocument.read(Manifest.self, from: Data(contentsOf: manifest)).startedAt
        }.min()
    }

    /// The part of each path that differs from the others; whole paths if no part does.
    private static func names(of words: [String]) -> [String] {
        guard words.count > 1 else { return words }
        let paths = words.map { $0.split(separator: "/") }
        let shortest = paths.map(\.count).min() ?? 0
        let place = (0..<shortest).first { place in
            Set(paths.map { $0[place] }).count == words.count
        }
        return place.map { place in paths.map { String($0[place]) } } ?? words
    }

    private func release(_ kept: Kept, name: String) throws -> Trend.Release {
        let runs = try kept.summaries.flatMap { try KeptFile($0).wholeSummaries() }
        let capacities = try kept.capacities.map { file in
            try KeptFile(file).content(
                "result of squall capacity", wayOut: "search again: squall capacity … --out …"
            ) { try JSONDocument.read(CapacityAnswer.self, from: $0) }
        }
        let replications = try kept.replications.map { file in
            try KeptFile(file).content(
                "result of squall run --replications",
                wayOut: "run again: squall run … --replications … --out …"
            ) { try ReplicationsAnswer.read($0) }
        }
        guard kept.isFolder else { return Trend.Release(name, runs: runs) }
        for (what, profiles) in [
            ("runs", runs.map(\.profile)), ("searches", capacities.map(\.profile)),
            ("replicated runs", replications.map(\.profile)),
        ] {
            if let twice = profiles.first(where: { name in profiles.count { $0 == name } > 1 }) {
                throw CommandFailure.invalid(
                    "\(kept.word) has several \(what) of \(twice); name the folder of one")
            }
        }
        return Trend.Release(
            name, runs: runs, capacities: capacities, replications: replications)
    }
}
