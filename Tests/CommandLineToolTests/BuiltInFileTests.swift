import Foundation
import SquallLab
import Testing

@testable import CommandLineTool

@Suite("Built-in files")
struct BuiltInFileTests {
    @Test("The profiles in the program are those of the repository, byte by byte")
    func same() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let profiles = tests.appending(path: "../../Profiles").standardizedFileURL
        for (folder, known) in [
            (profiles, BuiltInFile.profiles),
            (profiles.appending(path: "races"), BuiltInFile.races),
        ] {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))
            let names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
            #expect(known.map(\.name) == names.sorted())
            for profile in known {
                let file = folder.appending(path: profile.name + ".json")
                #expect(profile.bytes == Array(try Data(contentsOf: file)), "\(profile.name)")
            }
        }
    }

    @Test("A race is explored by its name, where there is no file of it")
    func race() throws {
        let stage = try PlayedTool()
        stage.runner.vocabulary = .installed
        #expect(stage.run("explore", "scrolly-hang", "--schedules", "2") == .failed)
        #expect(stage.console.output.contains("S13 completionsOnce"))
        #expect(stage.run("explore", "scrolly-hag", "--schedules", "2") == .usage)
        #expect(stage.console.errors.contains("Did you mean 'scrolly-hang'"))
        #expect(stage.run("profiles") == .passed)
        #expect(stage.console.output.contains("outfit-storm, scrolly-hang"))
    }

    @Test("Outside the repository profiles are known by name, and a file of that name goes first")
    func anywhere() throws {
        let stage = try PlayedTool()
        #expect(try ProfileFile.names(stage.console).contains("quick"))
        let file = try ProfileFile("million", console: stage.console)
        #expect(file.path == "built-in profile million")
        try stage.write(PlayedRunner.profile, to: "Profiles/million.json")
        let other = try ProfileFile("million", console: stage.console)
        #expect(other.path == "Profiles/million.json")
    }

    @Test("A built-in profile is read as its file would be, where there is no such file")
    func read() throws {
        let stage = try PlayedTool()
        for profile in BuiltInFile.profiles + BuiltInFile.races {
            let file = try ProfileFile(profile.name, console: stage.console)
            let read = try file.read(.installed, []).profile
            #expect(!read.question.isEmpty)
        }
    }
}
