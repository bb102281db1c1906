import Foundation
import Testing

@testable import SquallAnswers

@Suite("Job files, run by the shells of their systems")
struct JobFileTests {
    /// Words that a shell, GNU parallel, YAML or Kubernetes reads as more than a word.
    static let words = [
        "{=`touch pwned`=}.json", "{1}.json", "{}.json", "{#}", "{%}", "{.}", "{= $_=9 =}",
        "$(touch pwned)", "`touch pwned`", "$(JOB_COMPLETION_INDEX)", "$$(JOB_COMPLETION_INDEX)",
        "$HOME", "a'b\"c", "a\tb\nc", "-rf", "*", "a b", "", "\u{1B}[31m", "#x", "a: b", "\\", "$",
        "%s", "ä→", "{\u{22}a\u{22}: [1]}", "]] && touch pwned", "x\n#SBATCH --array=1-9",
    ]

    @Test("Load generators start together, without options they lack; none is repeated alone")
    func together() {
        let job = JobFile(
            "squall-drive", command: ["squall", "drive", "a.json"], shards: 3, out: "Results",
            isTogether: true)
        let texts = JobFile.System.allCases.map { job.text(for: $0) }
        for text in texts {
            #expect(!text.contains("--threads") && !text.contains("--requeue"))
            #expect(!text.contains("--retries") && !text.contains("backoffLimitPerIndex: 2"))
        }
        #expect(texts[0].contains("#SBATCH --ntasks=3") && texts[0].contains("exec srun "))
        #expect(texts[0].contains(#"--shard "$((SLURM_PROCID + 1))/3"' \"#))
        #expect(texts[1].contains("exec parallel --jobs 0 "))
        #expect(texts[2].contains("parallelism: 3"))
    }

    /// A job in a folder of its own, with a `squall` that writes down what it is given.
    private final class Job {
        let folder: URL
        let file: JobFile
        static let words = ["./squall", "run"] + JobFileTests.words

        init(out: String = "out $(touch pwned)\n{}") throws {
            folder = FileManager.default.temporaryDirectory
                .appending(path: "squall {} $(x) \(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            file = JobFile("squall-run", command: Self.words, shards: 2, out: out)
            // Each word between bars, each call in a file named after its last word.
            try write(
                """
                for last; do :; done
                for word; do printf '%s|' "$word"; done > told."${last%/*}"
                """, to: "squall")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ text: String, to name: String) throws {
            let file = folder.appending(path: name)
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: file.path(percentEncoded: false))
        }

        func write(_ system: JobFile.System) throws -> String {
            let name = file.fileName(for: system)
            try Data(file.text(for: system).utf8).write(to: folder.appending(path: name))
            return name
        }

        /// Runs a program in the folder; returns its exit code.
        @discardableResult
        func run(_ program: String, _ words: [String], _ more: [String: String] = [:]) throws
            -> Int32
        {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [program] + words
            process.currentDirectoryURL = folder
            var environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
            environment["PATH"] =
                folder.path(percentEncoded: false) + ":"
                + (environment["PATH"] ?? "")
            process.environment = environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }

        /// What each part's program was given.
        func told(_ part: Int) -> String? {
            (try? Data(contentsOf: folder.appending(path: "told.\(part)")))
                .map { String(decoding: $0, as: UTF8.self) }
        }

        func expected(_ part: Int, out: String) -> String {
            (Self.words.dropFirst() + ["--threads", "1", "--quiet", "--out", out]
                + ["--shard", "\(part)/2"]).map { $0 + "|" }.joined()
        }
    }

    private static let out = "out $(touch pwned)\n{}"

    private func check(_ job: Job, _ what: String) throws {
        for part in 1...2 {
            #expect(job.told(part) == job.expected(part, out: Self.out), "\(what), part \(part)")
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: job.folder.path(percentEncoded: false))
        #expect(!names.contains { $0.hasPrefix("pwned") }, "\(what)")
    }

    @Test("Slurm's task gets every word as it was given", arguments: ["sh", "bash"])
    func slurm(shell: String) throws {
        let job = try Job()
        let name = try job.write(.slurm)
        for part in 1...2 {
            let status = try job.run(shell, [name], ["SLURM_ARRAY_TASK_ID": "\(part)"])
            #expect(status == 0)
        }
        try check(job, shell)
        let directives = job.file.text(for: .slurm).split(separator: "\n")
            .prefix { $0.hasPrefix("#") }.filter { $0.hasPrefix("#SBATCH --array") }
        #expect(directives == ["#SBATCH --array=1-2"])
    }

    /// Replaces as GNU parallel does, wherever the text stands, and runs what comes out.
    private static let parallel = #"""
        while :; do
            case $1 in
                --joblog|--retries|--env) shift 2 ;;
                --resume-failed) shift ;;
                *) break ;;
            esac
        done
        command=
        while [ "$1" != ::: ]; do command="$command $1"; shift; done
        shift
        case $command in *'{='*) touch pwned.parallel ;; esac
        number=0
        for value; do
            number=$((number + 1))
            line=$(printf '%s' "$command" | sed "s/{#}/$number/g; s/{[1.]*}/$value/g")
            sh -c "$line" || exit 1
        done
        """#

    @Test("A stand-in for GNU parallel gets every word as it was given")
    func parallel() throws {
        let job = try Job()
        try job.write(Self.parallel, to: "parallel")
        try checkParallel(job, "fake")
    }

    @Test(
        "GNU parallel's task gets every word as it was given",
        .enabled(if: Self.hasParallel, "GNU parallel is not installed on this machine"))
    func installedParallel() throws { try checkParallel(try Job(), "installed") }

    private static let hasParallel =
        (try? Job().run("parallel", ["--version"])).map { $0 == 0 } ?? false

    private func checkParallel(_ job: Job, _ kind: String) throws {
        let name = try job.write(.parallel)
        #expect(try job.run("sh", ["./" + name]) == 0)
        try check(job, kind)
    }

    /// The words of a container's arguments after YAML and Kubernetes have read them.
    private func arguments(_ text: String, _ index: String) throws -> [String] {
        let lines = text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasSuffix(" args:") })
        return try lines[(start + 1)...].prefix { $0.contains("- \"") }.map { line in
            let json = line.drop { $0 != "\"" }
            let word = try JSONDecoder().decode(String.self, from: Data(json.utf8))
            // k8s.io/kubernetes/third_party/forked/golang/expansion: $$ is $, $(NAME) its value.
            return word.replacing(/\$\$|\$\(([^)]*)\)/) { match in
                guard let name = match.1 else { return "$" }
                return name == "JOB_COMPLETION_INDEX" ? index : String(match.0)
            }
        }
    }

    @Test("A pod's task gets every word as it was given", arguments: ["sh", "bash"])
    func kubernetes(shell: String) throws {
        let job = try Job()
        for index in ["0", "1"] {
            let words = try arguments(job.file.text(for: .kubernetes), index)
            #expect(words.count > Self.words.count)
            #expect(try job.run(shell, ["-c"] + words, ["JOB_COMPLETION_INDEX": index]) == 0)
        }
        try check(job, shell)
    }

    @Test("The line that puts the parts together stays a comment, and no control character shows")
    func comments() throws {
        let job = try Job()
        for system in JobFile.System.allCases {
            let comment = job.file.text(for: system).split(separator: "\n")
                .first { $0.contains("When all ended:") }
            #expect(comment?.hasPrefix("#") == true && comment?.hasSuffix("-part-*-of-2") == true)
        }
    }
}
