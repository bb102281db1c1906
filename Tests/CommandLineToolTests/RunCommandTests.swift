import Foundation
import SquallLab
import Testing

@testable import CommandLineTool

@Suite("squall run")
struct RunCommandTests {
    @Test("A run prints its summary, names its results and leaves its files")
    func run() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm") == .passed)
        #expect(
            stage.console.output.hasPrefix(
                "PASSED  storm: the one threshold holds\nDoes it storm?\n"))
        #expect(stage.console.output.contains("\n400 users · 10m00s of virtual time"))
        #expect(stage.console.output.hasSuffix("PASSED  storm: the one threshold holds\n"))
        #expect(stage.console.output.contains("repeat: squall run storm --seed 1\n"))
        #expect(stage.console.errors.hasSuffix("Results/storm/seed1-01234567/\n"))
        #expect(
            try stage.files(in: "Results/storm") == [
                "latest", "seed1-01234567", "seed1-01234567/junit.xml",
                "seed1-01234567/latency.hlog", "seed1-01234567/manifest.json",
                "seed1-01234567/metrics.prom", "seed1-01234567/profile.json",
                "seed1-01234567/report.html",
                "seed1-01234567/summary.json", "seed1-01234567/timeseries.csv",
            ])
    }

    @Test("With --json standard output is exactly the summary's document")
    func json() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--json", "--quiet") == .passed)
        #expect(try stage.console.output == stage.read("Results/storm/seed1-01234567/summary.json"))
        #expect(stage.console.errors.isEmpty)
    }

    @Test("A run that --for makes too short for the profile's warm-up says what is left of it")
    func shortened() throws {
        let stage = try PlayedTool()
        try stage.write(
            PlayedRunner.profile.replacing(
                #""duration": "10m""#, with: #""duration": "12m", "warmUp": { "for": "2m" }"#),
            to: "Profiles/warm.json")
        #expect(stage.run("run", "warm", "--for", "30s") == .passed)
        let note = "note: --for 30s shortens the warm-up from 2m to 5s;"
        #expect(stage.console.errors.contains(note))
        #expect(stage.run("run", "warm", "--for", "3m") == .passed)
        #expect(stage.console.errors.ranges(of: note).count == 1)
    }

    @Test("A former name of a metric is accepted with a note")
    func formerName() throws {
        let stage = try PlayedTool()
        let words = ["run", "storm", "--threshold", "expired_answers: count>=0"]
        #expect(stage.run(words) == .passed)
        let note = "note: expired_answers is called expired_responses;"
        #expect(stage.console.errors.contains(note), "\(stage.console.errors)")
    }

    @Test(
        "A threshold on a part that --for leaves out is refused, one that --for reaches is not",
        arguments: [("5m", "3m", false), ("20m", "3m", false), ("20m", "30m", true)])
    func windows(after: String, length: String, isJudged: Bool) throws {
        let stage = try PlayedTool()
        let text = "hangs: count==0 after \(after)"
        let code = stage.run("run", "storm", "--for", length, "--threshold", text)
        #expect(code == (isJudged ? .passed : .usage))
        let problem = "would never be evaluated: the run ends at \(length) (--for \(length))"
        #expect(stage.console.errors.contains(problem) != isJudged, "\(stage.console.errors)")
        #expect(stage.console.errors.contains("(--threshold '\(text)'") != isJudged)
    }

    @Test("A baseline of another profile is refused, and one of many runs names the runs beside it")
    func otherBaseline() throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(stage.run("run", "calm", "--quiet") == .passed)
        let words = ["--markdown", "m.md", "--baseline"]
        #expect(stage.run(["run", "storm"] + words + ["Results/calm/latest"]) == .invalidInput)
        #expect(
            stage.console.errors.contains(
                "--baseline Results/calm/latest is of calm, and this run is of storm"))
        #expect(stage.run("run", "storm", "--quiet") == .passed)
        #expect(stage.run("run", "storm", "--replications", "3", "--quiet") == .passed)
        // Results of many runs leave the link where it is.
        #expect(stage.run(["run", "storm"] + words + ["Results/storm/latest"]) == .passed)
        #expect(stage.run("compare", "Results/storm/latest", "Results/calm/latest") == .passed)
        #expect(stage.console.output.contains("A is a result of storm and B one of calm"))
        let folder = try #require(
            stage.files(in: "Results/storm").first { $0.hasPrefix("replications-") })
        #expect(stage.run("report", "Results/storm/\(folder)") == .invalidInput)
        #expect(stage.console.errors.contains("holds a result of many runs (replications.json)"))
        #expect(stage.console.errors.contains("Name the folder of a run: "))
    }

    @Test("Elements of a list that are named by numbers are shown in brackets")
    func brackets() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--set", "populations.0.users=9") == .usage)
        #expect(
            stage.console.errors.contains(
                "elements of a list are in brackets: populations[0].users"))
    }

    @Test("With --quiet the verdict is all that is printed")
    func quiet() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--quiet") == .passed)
        let said = stage.console.output
        #expect(said.hasPrefix("PASSED  storm: ") && !said.contains("\n\n"), "\(said)")
        #expect(stage.console.errors.isEmpty)
    }

    @Test("Only the manifest knows of the real world")
    func manifest() throws {
        let stage = try PlayedTool()
        _ = stage.run("run", "storm")
        let manifest = try stage.read("Results/storm/seed1-01234567/manifest.json")
        #expect(manifest.contains(#""startedAt" : "2024-09-01T00:00:00Z""#))
        #expect(manifest.contains(#""requestsPerWallSecond" : "#))
        #expect(!stage.console.output.contains("2024-09-01"))
    }

    @Test("A run never overwrites another")
    func repeated() throws {
        let stage = try PlayedTool()
        for _ in 1...3 { _ = stage.run("run", "storm", "--out", "kept here") }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: stage.folder.appending(path: "kept here/storm").path(percentEncoded: false))
        #expect(
            folders.sorted()
                == ["latest", "seed1-01234567", "seed1-01234567-2", "seed1-01234567-3"])
    }

    @Test("The link latest leads to the newest results")
    func latest() throws {
        let stage = try PlayedTool()
        for _ in 1...2 { _ = stage.run("run", "storm") }
        let link = stage.folder.appending(path: "Results/storm/latest").path()
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(target == "seed1-01234567-2")
    }

    @Test("The files of a killed run are cleared away, those of a run under way are not")
    func leftovers() throws {
        let stage = try PlayedTool()
        try stage.write("half a result", to: "Results/storm/.unfinished/summary.json")
        let parent = stage.folder.appending(path: "Results/storm", directoryHint: .isDirectory)
        let other = try UnfinishedFolder(in: parent)
        try stage.write("under way", to: "Results/storm/.unfinished/mine")
        #expect(stage.run("run", "storm") == .passed)
        #expect(try stage.files(in: "Results/storm/.unfinished") == ["mine"])
        withExtendedLifetime(other) {}
    }

    @Test("A finished result is never replaced, however many there are")
    func manyResults() throws {
        let stage = try PlayedTool()
        for number in 2..<1_200 {
            try FileManager.default.createDirectory(
                at: stage.console.file("Results/storm/seed1-01234567-\(number)"),
                withIntermediateDirectories: true)
        }
        try stage.write("kept", to: "Results/storm/seed1-01234567-1200/summary.json")
        #expect(stage.run("run", "storm") == .passed)
        #expect(try stage.read("Results/storm/seed1-01234567-1200/summary.json") == "kept")
        #expect(try stage.files(in: "Results/storm/latest/").contains("summary.json"))
        #expect(
            try stage.files(in: "Results/storm").contains("seed1-01234567-1201/summary.json"))
    }

    @Test("A broken expectation gives exit code 1")
    func failed() throws {
        let stage = try PlayedTool()
        stage.runner.hangs = 3
        #expect(stage.run("run", "storm") == .failed)
        #expect(stage.console.output.hasPrefix("FAILED  storm"))
    }

    @Test(
        "An interrupted run is kept, marked partial, and its exit code names the signal",
        arguments: [
            (EndingSignal.interrupt, ExitCode.interrupted), (.terminate, .terminated),
            (.hangUp, .hungUp),
        ])
    func interrupted(signal: EndingSignal, code: ExitCode) throws {
        let stage = try PlayedTool()
        stage.runner.reports = 10
        stage.runner.beforeReport = { [interruption = stage.interruption] in
            interruption.request(signal)
        }
        #expect(stage.run("run", "storm") == code)
        #expect(stage.console.output.hasPrefix("PARTIAL  storm"))
        #expect(try stage.files(in: "Results/storm").contains("seed1-01234567/summary.json"))
    }

    @Test("Options replace what the profile says and go into the replay command")
    func overrides() throws {
        let stage = try PlayedTool()
        #expect(
            stage.run("run", "storm", "--seed", "0x10", "--users", "1k", "--for", "90s") == .passed)
        #expect(stage.console.output.contains("1 000 users · 1m30s of virtual time"))
        #expect(
            stage.console.output.contains(
                "repeat: squall run storm --seed 16 --users 1000 --for 1m30s\n"))
    }

    @Test("Any setting can be replaced and expectations added, and the replay command says so")
    func settings() throws {
        let stage = try PlayedTool()
        let words = [
            "--set", "populations[0].users=5", "--set", "seed=9", "--threshold", "hangs: count<9",
        ]
        #expect(stage.run(["run", "storm"] + words) == .passed)
        #expect(stage.console.output.contains("105 users · 10m00s of virtual time"))
        #expect(
            stage.console.output.contains(
                "repeat: squall run storm --seed 9 --set 'populations[0].users=5'"
                    + " --set seed=9 \\\n  --threshold 'hangs: count<9'\n"))
    }

    @Test(
        "A wrong override is a wrong command line, whatever finds it",
        arguments: [
            ("--set", "sed=1", "sed is not a setting. Did you mean 'seed'? (--set sed=1, /sed)"),
            ("--set", "seed", "--set must be a setting and its value"),
            ("--set", "backend.servr.workers=2", "(--set backend.servr.workers=2, /backend/servr)"),
            ("--set", "populations[7].users=1", "populations[7].users is beyond the end of a list"),
            ("--threshold", "hangs", "--threshold must be a metric and what is expected"),
            ("--threshold", "hangz: count==0", "Did you mean 'hangs'?"),
        ])
    func wrongSettings(option: String, text: String, message: String) throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", option, text) == .usage)
        #expect(stage.console.errors.contains(message), "\(stage.console.errors)")
    }

    @Test("A profile may be a path or come from standard input")
    func sources() throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: "else where/calm.json")
        stage.console.input = PlayedRunner.profile
        #expect(stage.run("run", "else where/calm.json") == .passed)
        #expect(stage.console.output.contains("repeat: squall run 'else where/calm.json' --seed 1"))
        #expect(stage.run("run", "-") == .passed)
        #expect(try stage.files(in: "Results").contains("stdin/seed1-01234567/summary.json"))
    }

    @Test("An invalid profile gives exit code 65 and every problem on a line of its own")
    func invalid() throws {
        let stage = try PlayedTool()
        try stage.write(
            #"{"schemaVersion": 2, "populations": [], "x": 1}"#, to: "Profiles/bad.json")
        #expect(stage.run("run", "bad") == .invalidInput)
        let lines = stage.console.errors.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("error: ") })
        #expect(lines[0].hasSuffix("(Profiles/bad.json:1:19, /schemaVersion)"))
        #expect(
            !FileManager.default.fileExists(atPath: stage.folder.appending(path: "Results").path()))
    }

    @Test(
        "A file that is empty, or a folder in a file's place, is named with the way out",
        arguments: [
            (["run", "empty.yaml"], "empty.yaml is empty. A profile is a .json or .yaml file"),
            (["fit", "Profiles", "-o", "p.json"], "cannot read Profiles: it is a folder; name a"),
        ])
    func nothingToRead(words: [String], reason: String) throws {
        let stage = try PlayedTool()
        try stage.write(" \n", to: "empty.yaml")
        #expect(stage.play(words) != .passed)
        #expect(stage.console.errors.contains(reason))
    }

    @Test("A missing file gives exit code 74")
    func missing() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "no/such.json") == .inputOutput)
        #expect(
            stage.console.errors == "error: cannot read no/such.json: No such file or directory\n")
    }

    @Test("An unwritable place is found out before the run begins")
    func unwritable() throws {
        let stage = try PlayedTool()
        try stage.write("in the way", to: "Results")
        stage.runner.error = CommandFailure(code: .internalError, description: "it began")
        #expect(stage.run("run", "storm") == .inputOutput)
        #expect(stage.console.errors.hasPrefix("error: cannot write results to "))
    }

    @Test("A file that cannot be written costs neither the others nor the answer")
    func incomplete() throws {
        let stage = try PlayedTool()
        let inTheWay = stage.folder.appending(path: "Results/storm/.unfinished/summary.json")
        stage.runner.beforeReport = {
            try? FileManager.default.createDirectory(
                at: inTheWay, withIntermediateDirectories: true)
        }
        #expect(stage.run("run", "storm") == .inputOutput)
        #expect(stage.console.output.hasPrefix("PASSED  storm"))
        #expect(stage.console.errors.contains("cannot write summary.json ("))
        let files = try stage.files(in: "Results/storm")
        #expect(files.contains("seed1-01234567-incomplete/timeseries.csv"))
        #expect(files.contains("seed1-01234567-incomplete/manifest.json"))
    }

    @Test(
        "On a full disk files that fit are kept whole, others are named, and the result is printed")
    func fullDisk() throws {
        let stage = try PlayedTool()
        let hidden = stage.folder.appending(path: "Results/storm/.unfinished")
        stage.runner.beforeReport = {
            for name in ["timeseries.csv", "report.html"] {
                try? FileManager.default.createSymbolicLink(
                    atPath: hidden.appending(path: name).path(), withDestinationPath: "/dev/full")
            }
        }
        #expect(stage.run("run", "storm") == .inputOutput)
        let full = "No space left on device"
        #expect(
            stage.console.errors.hasPrefix(
                "error: cannot write timeseries.csv (\(full)), report.html (\(full)); what could"))
        #expect(stage.console.output.hasPrefix("PASSED  storm"))
        let names = try stage.files(in: "Results/storm/seed1-01234567-incomplete")
        #expect(
            names == [
                "junit.xml", "latency.hlog", "manifest.json", "metrics.prom",
                "profile.json", "summary.json",
            ])
    }

    @Test("The time series for Prometheus' backfill is written where the profile asks for it")
    func openMetrics() throws {
        let stage = try PlayedTool()
        #expect(stage.run("run", "storm", "--set", "output.openMetrics=true") == .passed)
        let text = try stage.read("Results/storm/latest/openmetrics.txt")
        #expect(text.hasPrefix("# HELP squall_run_") && text.hasSuffix("# EOF\n"))
    }

    @Test("A full standard output costs the exit code, never the files")
    func fullOutput() throws {
        let stage = try PlayedTool()
        stage.console.outputFailure = "No space left on device"
        #expect(stage.run("run", "storm") == .inputOutput)
        #expect(stage.console.errors.hasSuffix("standard output: No space left on device\n"))
        #expect(try stage.files(in: "Results/storm").contains("seed1-01234567/summary.json"))
    }

    @Test("A run that fails leaves no files behind")
    func noRemains() throws {
        let stage = try PlayedTool()
        stage.runner.error = CommandFailure(code: .internalError, description: "a job escaped")
        #expect(stage.run("run", "storm") == .internalError)
        #expect(stage.console.errors == "error: a job escaped\n")
        #expect(try stage.files(in: "Results/storm").isEmpty)
    }

    @Test(
        "Progress is for a person at a terminal who has not asked for quiet",
        arguments: [
            (true, [], true), (true, ["--quiet"], false), (false, [], false),
        ] as [(Bool, [String], Bool)])
    func progress(isTerminal: Bool, options: [String], isShown: Bool) throws {
        let stage = try PlayedTool()
        stage.runner.reports = 4
        stage.console.terminals = isTerminal ? [.error] : []
        _ = stage.tool.main(["run", "storm"] + options, console: stage.console)
        let line =
            "\r\u{1b}[K50 % · 5m00s virtual · 2 s real, 2 s left · 400 users · 1 234 requests"
        #expect(stage.console.errors.contains(line) == isShown, "\(stage.console.errors)")
    }

    @Test("The hidden journal takes every event as a line")
    func journal() throws {
        let stage = try PlayedTool()
        stage.runner.reports = 3
        #expect(stage.run("run", "storm", "--journal", "events.txt") == .passed)
        #expect(try stage.read("events.txt") == "event 1\nevent 2\nevent 3\n")
    }
}
