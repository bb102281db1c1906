import Foundation
import Testing

@testable import CommandLineTool

@Suite("Files that a command line names for something to be written to")
struct OutputFileTests {
    private func kind(_ path: String, _ squall: PlayedTool) throws -> mode_t {
        var facts = stat()
        let place = squall.folder.appending(path: path).path(percentEncoded: false)
        try #require(lstat(place, &facts) == 0)
        return facts.st_mode & S_IFMT
    }

    private func link(_ name: String, to target: String, _ squall: PlayedTool) throws {
        try FileManager.default.createSymbolicLink(
            atPath: squall.folder.appending(path: name).path(percentEncoded: false),
            withDestinationPath: target)
    }

    @Test("A link is followed, also one whose target is not there yet", arguments: [true, false])
    func links(isThere: Bool) throws {
        let squall = try PlayedTool()
        if isThere { try squall.write("old", to: "kept/target.xml") }
        try link("link", to: "kept/target.xml", squall)
        try FileManager.default.createDirectory(
            at: squall.folder.appending(path: "kept"), withIntermediateDirectories: true)
        #expect(squall.run("run", "storm", "--junit", "link") == .passed)
        #expect(try kind("link", squall) == S_IFLNK)
        #expect(try squall.read("kept/target.xml").hasSuffix("</testsuites>\n"))
        #expect(try squall.files(in: "kept") == ["target.xml"])
    }

    @Test("A pipe is written into and stays one")
    func pipe() throws {
        let squall = try PlayedTool()
        let path = squall.folder.appending(path: "pipe").path(percentEncoded: false)
        try #require(mkfifo(path, 0o600) == 0)
        // Open for both, so that neither end waits for the other.
        let descriptor = open(path, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        #expect(squall.run("run", "storm", "--junit", "pipe") == .passed)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("<testsuite"))
        #expect(try kind("pipe", squall) == S_IFIFO)
    }

    @Test("What is no regular file keeps its mode, and one that is private is new")
    func privateFiles() throws {
        let squall = try PlayedTool()
        func mode(_ name: String) throws -> mode_t {
            var facts = stat()
            try #require(stat(squall.folder.appending(path: name).systemPath, &facts) == 0)
            return facts.st_mode & 0o777
        }
        let pipe = squall.folder.appending(path: "pipe").systemPath
        try #require(mkfifo(pipe, 0o600) == 0 && chmod(pipe, 0o666) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        _ = try OutputFile("pipe", console: squall.console).opened(isPrivate: true)
        #expect(try mode("pipe") == 0o666)
        try squall.write("old", to: "old")
        try FileManager.default.linkItem(
            at: squall.folder.appending(path: "old"), to: squall.folder.appending(path: "other"))
        for name in ["old", "new"] {
            try OutputFile(name, console: squall.console).opened(isPrivate: true)
                .write(contentsOf: Data("secret".utf8))
            #expect(try mode(name) == 0o600 && squall.read(name) == "secret")
        }
        #expect(try mode("other") & 0o044 == 0o044 && squall.read("other") == "old")
    }

    @Test(
        "An input file is not overwritten by an output, under any of its names",
        arguments: ["Profiles/storm.json", "./Profiles/../Profiles/storm.json", "link", "hard"])
    func inputs(name: String) throws {
        let squall = try PlayedTool()
        try link("link", to: "Profiles/storm.json", squall)
        try FileManager.default.linkItem(
            at: squall.folder.appending(path: "Profiles/storm.json"),
            to: squall.folder.appending(path: "hard"))
        #expect(squall.run("run", "storm", "--summary", name) == .usage)
        #expect(squall.console.errors.contains("which is read; name another file"))
        #expect(try squall.read("Profiles/storm.json") == PlayedRunner.profile)
        #expect(squall.console.output == "")
    }

    @Test(
        "Files of arrivals and of a server's keys are inputs, too",
        arguments: [("run", "arrivals.txt"), ("drive", "arrivals.txt"), ("drive", "ca.pem")])
    func otherInputs(command: String, file: String) throws {
        let squall = try PlayedTool()
        try squall.write(
            PlayedRunner.profile.replacing(
                #""users": 300,"#,
                with: #""users": 300, "load": {"open": {"spacing": "even","#
                    + #" "stages": [{"trace": {"file": "arrivals.txt"}}]}},"#),
            to: "p.json")
        for name in ["arrivals.txt", "ca.pem"] { try squall.write("1s\n2s\n", to: name) }
        let further = ["--target", "https://127.0.0.1:1", "--ca-file", "ca.pem"]
        let words = [command, "p.json"] + (command == "drive" ? further : [])
        #expect(squall.run(words + ["--log", file]) == .usage)
        let errors = squall.console.errors
        #expect(errors.contains("which is read; name another file"), "\(errors)")
        #expect(try squall.read(file) == "1s\n2s\n")
    }

    @Test("The lines of a journal that no one closes are written")
    func unclosedJournal() throws {
        let squall = try PlayedTool()
        try Journal(OutputFile("log", console: squall.console)).append("the last words")
        #expect(try squall.read("log") == "the last words\n")
    }

    @Test("Standard input can be asked for again")
    func inputTwice() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("{}".utf8))
        try pipe.fileHandleForWriting.close()
        let console = ProcessConsole(standardInput: pipe.fileHandleForReading)
        #expect(try console.readInput() == Array("{}".utf8))
        #expect(try console.readInput() == Array("{}".utf8))
    }

    @Test(
        "Two outputs are not one file, none is a folder, and each can be written before the run",
        arguments: [
            (["--junit", "a", "--summary", "./a"], "is written already"),
            (["--junit", "Profiles"], "is a folder"),
            (["--junit", "/proc/none/a.xml"], "--junit /proc/none/a.xml cannot be written: "),
            (["--summary", "Profiles/storm.json/a"], "cannot be written: "),
        ])
    func refused(words: [String], problem: String) throws {
        let squall = try PlayedTool()
        let code = squall.run(["run", "storm"] + words)
        #expect(code == (problem.contains("written: ") ? .inputOutput : .usage))
        #expect(squall.console.errors.contains(problem) && squall.console.output.isEmpty)
    }

    @Test("A file that is replaced keeps its mode, and nothing lies beside it")
    func mode() throws {
        let squall = try PlayedTool()
        try squall.write("old", to: "out/a.xml")
        let path = squall.folder.appending(path: "out/a.xml").path(percentEncoded: false)
        try #require(chmod(path, 0o640) == 0)
        #expect(squall.run("run", "storm", "--junit", "out/a.xml") == .passed)
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o640)
        #expect(try squall.files(in: "out") == ["a.xml"])
    }

    @Test("A new file that cannot be written whole is not left to block the next try")
    func new() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "/dev/full") == .inputOutput)
        #expect(squall.console.errors.contains("cannot write /dev/full: No space left on device"))
        #expect(squall.run("new", "mine.json") == .passed)
        #expect(squall.run("new", "mine.json") == .usage)
    }

    @Test(
        "No name of a file makes a folder that is hidden, an option or obeyed by a terminal",
        arguments: [
            (".replications.json", "_.replications"), ("-rf.json", "_-rf"),
            ("a\u{1b}[2Jb.json", "a_[2Jb"), ("...json", "_...json"),
        ])
    func names(file: String, folder: String) throws {
        let squall = try PlayedTool()
        try squall.write(PlayedRunner.profile, to: file)
        #expect(squall.run("run", "--", "./\(file)") == .passed)
        #expect(try squall.files(in: "Results").contains("\(folder)/latest"))
        let written = squall.console.output + squall.console.errors
        #expect(!written.contains("\u{1b}"))
    }

    @Test(
        "The command that repeats a run names the profile as it was named, wherever that was",
        arguments: [
            ("./Profiles/storm.json", "storm"), ("./a/../b.json", "b.json"),
            ("../b.json", "../b.json"), ("/x/./y/../b.json", "/x/b.json"),
            ("./-b.json", "./-b.json"),
        ])
    func replay(word: String, named: String) throws {
        let squall = try PlayedTool()
        #expect(try ProfileFile(word, console: squall.console).canonicalWord == named)
    }

    @Test("Folders that killed runs left are removed a hundred at a time, and that is said")
    func leftovers() throws {
        let squall = try PlayedTool()
        for number in 2...250 {
            try squall.write("", to: "Results/storm/.unfinished-\(number)/report.html")
        }
        #expect(squall.run("run", "storm") == .passed)
        let errors = squall.console.errors
        #expect(errors.contains("note: 249 folders of killed runs were found and 100 removed"))
        for _ in 2...3 { #expect(squall.run("run", "storm", "--quiet") == .passed) }
        #expect(try squall.files(in: "Results/storm").allSatisfy { !$0.hasPrefix(".") })
    }
}
