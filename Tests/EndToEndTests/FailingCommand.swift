import Foundation
import Testing

/// A command that is run while calls of the system fail, one in each run.
struct FailingCommand: CustomTestStringConvertible, Sendable {
    let words: [String]
    /// Which calls fail when only a sample is asked for.
    let sample: [String]
    var testDescription: String { words.prefix(2).joined(separator: " ") }

    private static let short = ["--users", "3", "--for", "5s"]

    static let all = [
        FailingCommand(
            words: ["run", "p.json", "--junit", "j.xml", "--summary", "s.json"] + short,
            sample: [
                "write:3", "write:8", "open:2", "openread:2", "rename:1", "mkdir:2", "flock:1",
                "fstat:1", "mkstemp:1", "chmod:1", "symlink:1", "readdir:1", "thread:1", "epoll:2",
            ]),
        FailingCommand(
            words: ["run", "p.json", "--replications", "2", "--threads", "2"] + short,
            sample: ["thread:1", "write:1", "open:1", "rename:1", "mkdir:3"]),
        FailingCommand(
            words: ["capacity", "p.json", "--grid", "3..6/2", "--max-replications", "2"] + short,
            sample: ["write:2", "thread:2"]),
        FailingCommand(
            words: ["explore", "p.json", "--schedules", "2", "--threads", "2"],
            sample: ["thread:2", "write:2", "mkdir:1"]),
        FailingCommand(words: ["new", "n.json"], sample: ["write:1", "open:1", "close:2"]),
        FailingCommand(
            words: ["check", "p.json"] + short,
            sample: ["spawn:1", "pipe:1", "mkdtemp:1", "openread:4"]),
        FailingCommand(
            words: ["merge", "part1", "part2"], sample: ["openread:3", "read:3", "mkdir:1"]),
    ]

    /// Every kind of call there is, and which of its calls fails.
    static let plans: [String] =
        [
            "open", "openread", "write", "read", "close", "fsync", "rename", "mkdir", "rmdir",
            "unlink", "link", "symlink", "readlink", "chmod", "flock", "fcntl", "fstat", "stat",
            "lstat", "access", "opendir", "readdir", "fts", "mkstemp", "mkdtemp", "getcwd",
            "realpath", "fopen", "lseek", "pipe", "dup", "spawn", "wait", "thread", "mmap",
            "mprotect", "epoll", "eventfd", "signalfd", "timerfd", "ioctl",
        ].flatMap { kind in [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 21, 28, 34].map { "\(kind):\($0)" } }
        + ["malloc", "calloc", "realloc", "memalign"].flatMap { kind in
            [100, 1_000, 5_000, 20_000, 40_000, 80_000, 160_000].map { "\(kind):\($0)" }
        }

    /// A folder with the profile, and the parts of a plan where the command puts them together.
    func prepared() throws -> BuiltTool {
        let tool = try BuiltTool()
        try FileManager.default.copyItem(
            at: BuiltTool.package.appending(path: "Profiles/quick.json"),
            to: tool.folder.appending(path: "p.json"))
        guard words[0] == "merge" else { return tool }
        for part in 1...2 {
            let run = ["run", "p.json", "--replications", "2", "--shard", "\(part)/2"]
            _ = try tool.run(run + Self.short + ["--out", "parts"])
            try FileManager.default.moveItem(
                at: tool.folder.appending(path: "parts/p/run-part-\(part)-of-2"),
                to: tool.folder.appending(path: "part\(part)"))
        }
        return tool
    }
}
