import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall run")
struct RunCommandTests {
    @Test("A run prints its summary, names its results and leaves its files")
    func run() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm") == .passed)
        #expect(
            squall.console.output.hasPrefix(
                "PASSED  storm: the one threshold holds\nDoes it storm?\n"))
        #expect(squall.console.output.contains("\n400 users · 10m00s of virtual time"))
        #expect(squall.console.output.hasSuffix("PASSED  storm: the one threshold holds\n"))
        #expect(squall.console.output.contains("repeat: squall run storm --seed 1\n"))
        #expect(squall.console.errors.hasSuffix("Results/storm/seed1-01234567/\n"))
        #expect(
            try squall.files(in: "Results/storm") == [
                "latest", "seed1-01234567", "seed1-01234567/junit.xml",
                "seed1-01234567/latency.hlog", "seed1-01234567/manifest.json",
                "seed1-01234567/metrics.prom", "seed1-01234567/profile.json",
                "seed1-01234567/report.html",
                "seed1-01234567/summary.json", "seed1-01234567/timeseries.csv",
            ])
    }

    @Test("With --json standard output is exactly the summary's document")
    func json() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--json", "--quiet") == .passed)
        #expect(
            try squall.console.output == squall.read("Results/storm/seed1-01234567/summary.json"))
        #expect(squall.console.errors.isEmpty)
    }

    @Test("A run that --for makes too short for the profile's warm-up says what is left of it")
    func shortened() throws {
        let squall = try PlayedTool()
        try squall.write(
            PlayedRunner.profile.replacing(
                #""duration": "10m""#, with: #""duration": "12m", "warmUp": { "for": "2m" }"#),
            to: "Profiles/warm.json")
        #expect(squall.run("run", "warm", "--for", "30s") == .passed)
        let note = "note: --for 30s shortens the warm-up from 2m to 5s;"
        #expect(squall.console.errors.contains(note))
        #expect(squall.run("run", "warm", "--for", "3m") == .passed)
        #expect(squall.console.errors.ranges(of: note).count == 1)
    }

    @Test("A former name of a metric is accepted with a note")
    func formerName() throws {
        let squall = try PlayedTool()
        let words = ["run", "storm", "--threshold", "expired_answers: count>=0"]
        #expect(squall.run(words) == .passed)
        let note = "note: expired_answers is called expired_responses;"
        #expect(squall.console.errors.contains(note), "\(squall.console.errors)")
    }

    @Test(
        "A threshold on a part that --for leaves out is refused, one that --for reaches is not",
        arguments: [("5m", "3m", false), ("20m", "3m", false), ("20m", "30m", true)])
    func windows(after: String, length: String, isJudged: Bool) throws {
        let squall = try PlayedTool()
        let text = "hangs: count==0 after \(after)"
        let code = squall.run("run", "storm", "--for", length, "--threshold", text)
        #expect(code == (isJudged ? .passed : .usage))
        let problem = "would never be evaluated: the run ends at \(length) (--for \(length))"
        #expect(squall.console.errors.contains(problem) != isJudged, "\(squall.console.errors)")
        #expect(squall.console.errors.contains("(--threshold '\(text)'") != isJudged)
    }

    @Test("A baseline of another profile is refused, and one of many runs names the runs beside it")
    func otherBaseline() throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: "Profiles/calm.json")
        #expect(squall.run("run", "calm", "--quiet") == .passed)
        let words = ["--markdown", "m.md", "--baseline"]
        #expect(squall.run(["run", "storm"] + words + ["Results/calm/latest"]) == .invalidInput)
        #expect(
            squall.console.errors.contains(
                "--baseline Results/calm/latest is of calm, and this run is of storm"))
        #expect(squall.run("run", "storm", "--quiet") == .passed)
        #expect(squall.run("run", "storm", "--replications", "3", "--quiet") == .passed)
        // Results of many runs leave the link where it is.
        #expect(squall.run(["run", "storm"] + words + ["Results/storm/latest"]) == .passed)
        #expect(squall.run("compare", "Results/storm/latest", "Results/calm/latest") == .passed)
        #expect(squall.console.output.contains("A is a result of storm and B one of calm"))
        let folder = try #require(
            squall.files(in: "Results/storm").first { $0.hasPrefix("replications-") })
        #expect(squall.run("report", "Results/storm/\(folder)") == .invalidInput)
        #expect(squall.console.errors.contains("holds a result of many runs (replications.json)"))
        #expect(squall.console.errors.contains("Name the folder of a run: "))
    }

    @Test("Elements of a list that are named by numbers are shown in brackets")
    func brackets() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--set", "populations.0.users=9") == .usage)
        #expect(
            squall.console.errors.contains(
                "elements of a list are in brackets: populations[0].users"))
    }

    @Test("With --quiet the verdict is all that is printed")
    func quiet() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--quiet") == .passed)
        let said = squall.console.output
        #expect(said.hasPrefix("PASSED  storm: ") && !said.contains("\n\n"), "\(said)")
        #expect(squall.console.errors.isEmpty)
    }

    @Test("Only the manifest knows of the real world")
    func manifest() throws {
        let squall = try PlayedTool()
        _ = squall.run("run", "storm")
        let manifest = try squall.read("Results/storm/seed1-01234567/manifest.json")
        #expect(manifest.contains(#""startedAt" : "2024-09-01T00:00:00Z""#))
        #expect(manifest.contains(#""requestsPerWallSecond" : "#))
        #expect(!squall.console.output.contains("2024-09-01"))
    }

    @Test("A run never overwrites another")
    func repeated() throws {
        let squall = try PlayedTool()
        for _ in 1...3 { _ = squall.run("run", "storm", "--out", "kept here") }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: squall.folder.appending(path: "kept here/storm").path(percentEncoded: false))
        #expect(
            folders.sorted()
                == ["latest", "seed1-01234567", "seed1-01234567-2", "seed1-01234567-3"])
    }

    @Test("The link latest leads to the newest results")
    func latest() throws {
        let squall = try PlayedTool()
        for _ in 1...2 { _ = squall.run("run", "storm") }
        let link = squall.folder.appending(path: "Results/storm/latest").path()
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(target == "seed1-01234567-2")
    }

    @Test("The files of a killed run are cleared away, those of a run under way are not")
    func leftovers() throws {
        let squall = try PlayedTool()
        try squall.write("half a result", to: "Results/storm/.unfinished/summary.json")
        let parent = squall.folder.appending(path: "Results/storm", directoryHint: .isDirectory)
        let other = try UnfinishedFolder(in: parent)
        try squall.write("under way", to: "Results/storm/.unfinished/mine")
        #expect(squall.run("run", "storm") == .passed)
        #expect(try squall.files(in: "Results/storm/.unfinished") == ["mine"])
        withExtendedLifetime(other) {}
    }

    @Test("A finished result is never replaced, however many there are")
    func manyResults() throws {
        let squall = try PlayedTool()
        for number in 2..<1_200 {
            try FileManager.default.createDirectory(
                at: squall.console.file("Results/storm/seed1-01234567-\(number)"),
                withIntermediateDirectories: true)
        }
        try squall.write("kept", to: "Results/storm/seed1-01234567-1200/summary.json")
        #expect(squall.run("run", "storm") == .passed)
        #expect(try squall.read("Results/storm/seed1-01234567-1200/summary.json") == "kept")
        #expect(try squall.files(in: "Results/storm/latest/").contains("summary.json"))
        #expect(
            try squall.files(in: "Results/storm").contains("seed1-01234567-1201/summary.json"))
    }

    @Test("A broken expectation gives exit code 1")
    func failed() throws {
        let squall = try PlayedTool()
        squall.runner.hangs = 3
        #expect(squall.run("run", "storm") == .failed)
        #expect(squall.console.output.hasPrefix("FAILED  storm"))
    }

    @Test(
        "An interrupted run is kept, marked partial, and its exit code names the signal",
        arguments: [
            (EndingSignal.interrupt, ExitCode.interrupted), (.terminate, .terminated),
            (.hangUp, .hungUp),
        ])
    func interrupted(signal: EndingSignal, code: ExitCode) throws {
        let squall = try PlayedTool()
        squall.runner.reports = 10
        squall.runner.beforeReport = { [interruption = squall.interruption] in
            interruption.request(signal)
        }
        #expect(squall.run("run", "storm") == code)
        #expect(squall.console.output.hasPrefix("PARTIAL  storm"))
        #expect(try squall.files(in: "Results/storm").contains("seed1-01234567/summary.json"))
    }

    @Test("Options replace what the profile says and go into the replay command")
    func overrides() throws {
        let squall = try PlayedTool()
        #expect(
            squall.run("run", "storm", "--seed", "0x10", "--users", "1k", "--for", "90s") == .passed
        )
        #expect(squall.console.output.contains("1 000 users · 1m30s of virtual time"))
        #expect(
            squall.console.output.contains(
                "repeat: squall run storm --seed 16 --users 1000 --for 1m30s\n"))
    }

    @Test("Any setting can be replaced and expectations added, and the replay command says so")
    func settings() throws {
        let squall = try PlayedTool()
        let words = [
            "--set", "populations[0].users=5", "--set", "seed=9", "--threshold", "hangs: count<9",
        ]
        #expect(squall.run(["run", "storm"] + words) == .passed)
        #expect(squall.console.output.contains("105 users · 10m00s of virtual time"))
        #expect(
            squall.console.output.contains(
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
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", option, text) == .usage)
        #expect(squall.console.errors.contains(message), "\(squall.console.errors)")
    }

    @Test("A profile may be a path or come from standard input")
    func sources() throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: "else where/calm.json")
        squall.console.input = PlayedRunner.profile
        #expect(squall.run("run", "else where/calm.json") == .passed)
        #expect(
            squall.console.output.contains("repeat: squall run 'else where/calm.json' --seed 1"))
        #expect(squall.run("run", "-") == .passed)
        #expect(try squall.files(in: "Results").contains("stdin/seed1-01234567/summary.json"))
    }

    @Test("An invalid profile gives exit code 65 and every problem on a line of its own")
    func invalid() throws {
        let squall = try PlayedTool()
        try squall.write(
            #"{"schemaVersion": 2, "populations": [], "x": 1}"#, to: "Profiles/bad.json")
        #expect(squall.run("run", "bad") == .invalidInput)
        let lines = squall.console.errors.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("error: ") })
        #expect(lines[0].hasSuffix("(Profiles/bad.json:1:19, /schemaVersion)"))
        #expect(
            !FileManager.default.fileExists(atPath: squall.folder.appending(path: "Results").path())
        )
    }

    @Test(
        "A file that is empty, or a folder in a file's place, is named with the way out",
        arguments: [
            (["run", "empty.yaml"], "empty.yaml is empty. A profile is a .json or .yaml file"),
            (["fit", "Profiles", "-o", "p.json"], "cannot read Profiles: it is a folder; name a"),
        ])
    func nothingToRead(words: [String], reason: String) throws {
        let squall = try PlayedTool()
        try squall.write(" \n", to: "empty.yaml")
        #expect(squall.play(words) != .passed)
        #expect(squall.console.errors.contains(reason))
    }

    @Test("A missing file gives exit code 74")
    func missing() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "no/such.json") == .inputOutput)
        #expect(
            squall.console.errors == "error: cannot read no/such.json: No such file or directory\n")
    }

    @Test("An unwritable place is found out before the run begins")
    func unwritable() throws {
        let squall = try PlayedTool()
        try squall.write("in the way", to: "Results")
        squall.runner.error = CommandFailure(code: .internalError, description: "it began")
        #expect(squall.run("run", "storm") == .inputOutput)
        #expect(squall.console.errors.hasPrefix("error: cannot write results to "))
    }

    @Test("A file that cannot be written costs neither the others nor the answer")
    func incomplete() throws {
        let squall = try PlayedTool()
        let inTheWay = squall.folder.appending(path: "Results/storm/.unfinished/summary.json")
        squall.runner.beforeReport = {
            try? FileManager.default.createDirectory(
                at: inTheWay, withIntermediateDirectories: true)
        }
        #expect(squall.run("run", "storm") == .inputOutput)
        #expect(squall.console.output.hasPrefix("PASSED  storm"))
        #expect(squall.console.errors.contains("cannot write summary.json ("))
        let files = try squall.files(in: "Results/storm")
        #expect(files.contains("seed1-01234567-incomplete/timeseries.csv"))
        #expect(files.contains("seed1-01234567-incomplete/manifest.json"))
    }

    @Test(
        "On a full disk files that fit are kept whole, others are named, and the result is printed")
    func fullDisk() throws {
        let squall = try PlayedTool()
        let hidden = squall.folder.appending(path: "Results/storm/.unfinished")
        squall.runner.beforeReport = {
            for name in ["timeseries.csv", "report.html"] {
                try? FileManager.default.createSymbolicLink(
                    atPath: hidden.appending(path: name).path(), withDestinationPath: "/dev/full")
            }
        }
        #expect(squall.run("run", "storm") == .inputOutput)
        let full = "No space left on device"
        #expect(
            squall.console.errors.hasPrefix(
                "error: cannot write timeseries.csv (\(full)), report.html (\(full)); what could"))
        #expect(squall.console.output.hasPrefix("PASSED  storm"))
        let names = try squall.files(in: "Results/storm/seed1-01234567-incomplete")
        #expect(
            names == [
                "junit.xml", "latency.hlog", "manifest.json", "metrics.prom",
                "profile.json", "summary.json",
            ])
    }

    @Test("The time series for Prometheus' backfill is written where the profile asks for it")
    func openMetrics() throws {
        let squall = try PlayedTool()
        #expect(squall.run("run", "storm", "--set", "output.openMetrics=true") == .passed)
        let text = try squall.read("Results/storm/latest/openmetrics.txt")
        #expect(text.hasPrefix("# HELP squall_run_") && text.hasSuffix("# EOF\n"))
    }

    @Test("A full standard output costs the exit code, never the files")
    func fullOutput() throws {
        let squall = try PlayedTool()
        squall.console.outputFailure = "No space left on device"
        #expect(squall.run("run", "storm") == .inputOutput)
        #expect(squall.console.errors.hasSuffix("standard output: No space left on device\n"))
        #expect(try squall.files(in: "Results/storm").contains("seed1-01234567/summary.json"))
    }

    @Test("A run that fails leaves no files behind")
    func noRemains() throws {
        let squall = try PlayedTool()
        squall.runner.error = CommandFailure(code: .internalError, description: "a job escaped")
        #expect(squall.run("run", "storm") == .internalError)
        #expect(squall.console.errors == "error: a job escaped\n")
        #expect(try squall.files(in: "Results/storm").isEmpty)
    }

    @Test(
        "Progress is for a person at a terminal who has not asked for quiet",
        arguments: [
            (true, [], true), (true, ["--quiet"], false), (false, [], false),
        ] as [(Bool, [String], Bool)])
    func progress(isTerminal: Bool, options: [String], isShown: Bool) throws {
        let squall = try PlayedTool()
        squall.runner.reports = 4
        squall.console.terminals = isTerminal ? [.error] : []
        _ = squall.tool.main(["run", "storm"] + options, console: squall.console)
        let line =
            "\r\u{1b}[K50 % · 5m00s virtual · 2 s real, 2 s left · 400 users · 1 234 requests"
        #expect(squall.console.errors.contains(line) == isShown, "\(squall.console.errors)")
    }

    @Test("The hidden journal takes every event as a line")
    func journal() throws {
        let squall = try PlayedTool()
        squall.runner.reports = 3
        #expect(squall.run("run", "storm", "--journal", "events.txt") == .passed)
        #expect(try squall.read("events.txt") == "event 1\nevent 2\nevent 3\n")
    }
}
