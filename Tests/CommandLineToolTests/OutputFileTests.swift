import Foundation
import Testing

@testable import CommandLineTool

@Suite("Files that a command line names for something to be written to")
struct OutputFileTests {
    private func kind(_ path: String, _ stage: PlayedTool) throws -> mode_t {
        var facts = stat()
        let place = stage.folder.appending(path: path).path(percentEncoded: false)
        try #require(lstat(place, &facts) == 0)
        return facts.st_mode & S_IFMT
    }

    private func link(_ name: String, to target: String, _ stage: PlayedTool) throws {
        try FileManager.default.createSymbolicLink(
            atPath: stage.folder.appending(path: name).path(percentEncoded: false),
            withDestinationPath: target)
    }

    @Test("A link is followed, also one whose target is not there yet", arguments: [true, false])
    func links(isThere: Bool) throws {
        let stage = try PlayedTool()
        if isThere { try stage.write("old", to: "kept/target.xml") }
        try link("link", to: "kept/target.xml", stage)
        try FileManager.default.createDirectory(
            at: stage.folder.appending(path: "kept"), withIntermediateDirectories: true)
        #expect(stage.run("run", "storm", "--junit", "link") == .passed)
        #expect(try kind("link", stage) == S_IFLNK)
        #expect(try stage.read("kept/target.xml").hasSuffix("</testsuites>\n"))
        #expect(try stage.files(in: "kept") == ["target.xml"])
    }

    @Test("A pipe is written into and stays one")
    func pipe() throws {
        let stage = try PlayedTool()
        let path = stage.folder.appending(path: "pipe").path(percentEncoded: false)
        try #require(mkfifo(path, 0o600) == 0)
        // Open for both, so that neither end waits for the other.
        let descriptor = open(path, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        #expect(stage.run("run", "storm", "--junit", "pipe") == .passed)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("<testsuite"))
        #expect(try kind("pipe", stage) == S_IFIFO)
    }

    @Test("What is no regular file keeps its mode, and one that is private is new")
    func privateFiles() throws {
        let stage = try PlayedTool()
        func mode(_ name: String) throws -> mode_t {
            var facts = stat()
            try #require(stat(stage.folder.appending(path: name).systemPath, &facts) == 0)
            return facts.st_mode & 0o777
        }
        let pipe = stage.folder.appending(path: "pipe").systemPath
        try #require(mkfifo(pipe, 0o600) == 0 && chmod(pipe, 0o666) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        _ = try OutputFile("pipe", console: stage.console).opened(isPrivate: true)
        #expect(try mode("pipe") == 0o666)
        try stage.write("old", to: "old")
        try FileManager.default.linkItem(
            at: stage.folder.appending(path: "old"), to: stage.folder.appending(path: "other"))
        for name in ["old", "new"] {
            try OutputFile(name, console: stage.console).opened(isPrivate: true)
                .write(contentsOf: Data("secret".utf8))
            #expect(try mode(name) == 0o600 && stage.read(name) == "secret")
        }
        #expect(try mode("other") & 0o044 == 0o044 && stage.read("other") == "old")
    }

    @Test(
        "An input file is not overwritten by an output, under any of its names",
        arguments: ["Profiles/storm.json", "./Profiles/../Profiles/storm.json", "link", "hard"])
    func inputs(name: String) throws {
        let stage = try PlayedTool()
        try link("link", to: "Profiles/storm.json", stage)
        try FileManager.default.linkItem(
            at: stage.folder.appending(path: "Profiles/storm.json"),
            to: stage.folder.appending(path: "hard"))
        #expect(stage.run("run", "storm", "--summary", name) == .usage)
        #expect(stage.console.errors.contains("which is read; name another file"))
        #expect(try stage.read("Profiles/storm.json") == PlayedRunner.profile)
        #expect(stage.console.output == "")
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
        let stage = try PlayedTool()
        let code = stage.run(["run", "storm"] + words)
        #expect(code == (problem.contains("written: ") ? .inputOutput : .usage))
        #expect(stage.console.errors.contains(problem) && stage.console.output.isEmpty)
    }

    @Test("A file that is replaced keeps its mode, and nothing lies beside it")
    func mode() throws {
        let stage = try PlayedTool()
        try stage.write("old", to: "out/a.xml")
        let path = stage.folder.appending(path: "out/a.xml").path(percentEncoded: false)
        try #require(chmod(path, 0o640) == 0)
        #expect(stage.run("run", "storm", "--junit", "out/a.xml") == .passed)
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o640)
        #expect(try stage.files(in: "out") == ["a.xml"])
    }

    @Test("A new file that cannot be written whole is not left to block the next try")
    func new() throws {
        let stage = try PlayedTool()
        #expect(stage.run("new", "/dev/full") == .inputOutput)
        #expect(stage.console.errors.contains("cannot write /dev/full: No space left on device"))
        #expect(stage.run("new", "mine.json") == .passed)
        #expect(stage.run("new", "mine.json") == .usage)
    }

    @Test(
        "No name of a file makes a folder that is hidden, an option or obeyed by a terminal",
        arguments: [
            (".replications.json", "_.replications"), ("-rf.json", "_-rf"),
            ("a\u{1b}[2Jb.json", "a_[2Jb"), ("...json", "_...json"),
        ])
    func names(file: String, folder: String) throws {
        let stage = try PlayedTool()
        try stage.write(PlayedRunner.profile, to: file)
        #expect(stage.run("run", "--", "./\(file)") == .passed)
        #expect(try stage.files(in: "Results").contains("\(folder)/latest"))
        let written = stage.console.output + stage.console.errors
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
        let stage = try PlayedTool()
        #expect(try ProfileFile(word, console: stage.console).canonicalWord == named)
    }

    @Test("Folders that killed runs left are removed a hundred at a time, and that is said")
    func leftovers() throws {
        let stage = try PlayedTool()
        for number in 2...250 {
            try stage.write("", to: "Results/storm/.unfinished-\(number)/report.html")
        }
        #expect(stage.run("run", "storm") == .passed)
        let errors = stage.console.errors
        #expect(errors.contains("note: 249 folders of killed runs were found and 100 removed"))
        for _ in 2...3 { #expect(stage.run("run", "storm", "--quiet") == .passed) }
        #expect(try stage.files(in: "Results/storm").allSatisfy { !$0.hasPrefix(".") })
    }
}
