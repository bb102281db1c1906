import CommandLineTool
import Foundation

/// Files written by the tool, to be damaged: of a run, replications, shards and a finding.
struct FuzzLineBase {
    /// The texts of the files by path, such as `one/summary.json` or `part1/part.json`.
    let files: [String: String]

    /// Runs the tool to write them in a folder, or reads them if they are there.
    init(in folder: URL) throws {
        let place = folder.appending(path: "base", directoryHint: .isDirectory)
        if !FileManager.default.fileExists(atPath: place.appending(path: "p.json").path) {
            try Self.write(in: place)
        }
        var files = ["p.json": FuzzLineDraw.profile]
        for (name, root) in [
            ("one", "one/p"), ("many", "many/p"), ("others", "others/p"),
            ("part1", "parts/p/run-part-1-of-2"), ("part2", "parts/p/run-part-2-of-2"),
            ("found", "found/outfit-gap"),
        ] {
            let root = place.appending(path: root)
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
                let words = path.split(separator: "/").map(String.init)
                guard let file = words.last, !words.contains("latest"),
                    !words.contains(where: { $0.hasPrefix(".") }), !file.hasSuffix(".html"),
                    let data = try? Data(contentsOf: root.appending(path: path)),
                    data.count < 1 << 20
                else { continue }
                // Drops the name of a run's folder; keeps the folder of a part's replications.
                let rest = name.hasPrefix("part") ? words : [file]
                files[([name] + rest).joined(separator: "/")] = String(
                    decoding: data, as: UTF8.self)
            }
        }
        self.files = files
    }

    private static func write(in place: URL) throws {
        let trial = FuzzLineTrial(folder: place, isAlone: false)
        let many = ["run", "p.json", "--replications", "2", "--out"]
        let line = FuzzLine(
            files: ["p.json": FuzzLineDraw.profile],
            lines: [
                ["run", "p.json", "--out", "one"], many + ["many"],
                many + ["others", "--seed", "2"], many + ["parts", "--shard", "1/2"],
                many + ["parts", "--shard", "2/2"],
                ["validate", "p.json"],
            ])
        let made = try trial.tried(line)
        // It comes last because its findings make the command fail.
        let found = try trial.tried(
            FuzzLine(
                files: [:],
                lines: [
                    ["explore", "outfit-gap", "--schedules", "60", "--first", "--out", "found"]
                ]),
            isFresh: false)
        guard made.answer.code == ExitCode.passed.rawValue, made.complaint == nil,
            found.answer.code == ExitCode.failed.rawValue
        else {
            throw FuzzFailure(
                description: "files for damaging could not be written: "
                    + (made.complaint ?? "codes \(made.answer.code) and \(found.answer.code)"))
        }
    }
}
