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
        let squall = try PlayedTool()
        squall.runner.vocabulary = .installed
        #expect(squall.run("explore", "scrolly-hang", "--schedules", "2") == .failed)
        #expect(squall.console.output.contains("S13 completionsOnce"))
        #expect(squall.run("explore", "scrolly-hag", "--schedules", "2") == .usage)
        #expect(squall.console.errors.contains("Did you mean 'scrolly-hang'"))
        #expect(squall.run("profiles") == .passed)
        #expect(squall.console.output.contains("outfit-storm, scrolly-hang"))
    }

    @Test("Outside the repository profiles are known by name, and a file of that name goes first")
    func anywhere() throws {
        let squall = try PlayedTool()
        #expect(try ProfileFile.names(squall.console).contains("quick"))
        let file = try ProfileFile("million", console: squall.console)
        #expect(file.path == "built-in profile million")
        try squall.write(PlayedRunner.profile, to: "Profiles/million.json")
        let other = try ProfileFile("million", console: squall.console)
        #expect(other.path == "Profiles/million.json")
    }

    @Test("A built-in profile is read as its file would be, where there is no such file")
    func read() throws {
        let squall = try PlayedTool()
        for profile in BuiltInFile.profiles + BuiltInFile.races {
            let file = try ProfileFile(profile.name, console: squall.console)
            let read = try file.read(.installed, []).profile
            #expect(!read.question.isEmpty)
        }
    }
}
