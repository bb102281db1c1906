import Foundation
import SquallLab
import SquallProfile
import Testing

@testable import CommandLineTool

@Suite("BuiltInProfile")
struct BuiltInProfileTests {
    @Test("The profiles in the program are those of the repository, byte by byte")
    func same() throws {
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try BuiltInSource.write() }
        let known = [("", BuiltInProfile.all), ("races", BuiltInProfile.races)]
        for (folder, profiles) in known {
            let files = try BuiltInSource.files(in: folder)
            #expect(profiles.map(\.name) == files.map(\.name))
            for (profile, file) in zip(profiles, files) {
                #expect(profile.text == file.text, "UPDATE_GOLDEN=1 makes \(file.name) anew")
            }
        }
    }

    @Test("A race is explored by its name, where there is no file of it")
    func race() throws {
        let stage = try Stage()
        stage.runner.vocabulary = .installed
        #expect(stage.run("explore", "r1", "--schedules", "2", "--quiet") == .failed)
        #expect(stage.console.output.contains("S1 singleFlight"))
        #expect(stage.run("explore", "r0", "--schedules", "2") == .usage)
        #expect(stage.console.errors.contains("Did you mean 'r1'"))
        #expect(stage.run("profiles") == .passed)
        #expect(stage.console.output.contains("r1, r10"))
    }

    @Test("Outside the repository profiles are known by name, and a file of that name goes first")
    func anywhere() throws {
        let stage = try Stage()
        #expect(try ProfileFile.names(stage.console).contains("quick"))
        let file = try ProfileFile("million", console: stage.console)
        #expect(file.path == "built-in profile million")
        try stage.write(PlayedRunner.profile, to: "Profiles/million.json")
        let other = try ProfileFile("million", console: stage.console)
        #expect(other.path == "Profiles/million.json")
    }

    @Test("A built-in profile is read as its file would be, where there is no such file")
    func read() throws {
        let stage = try Stage()
        for profile in BuiltInProfile.all + BuiltInProfile.races {
            let file = try ProfileFile(profile.name, console: stage.console)
            let read = try file.profile(.installed, console: stage.console, []).profile
            #expect(!read.question.isEmpty)
        }
    }
}

/// Makes the sources of the profiles that are part of the program.
enum BuiltInSource {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The most lines of a source.
    private static let linesMax = 380

    /// The files of a folder of the repository's `Profiles`, by name.
    static func files(in folder: String) throws -> [(name: String, text: String)] {
        let folder = package.appending(path: "Profiles").appending(path: folder)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false))
        return try names.filter { $0.hasSuffix(".json") }.sorted().map { file in
            let data = try Data(contentsOf: folder.appending(path: file))
            return (String(file.dropLast(5)), String(decoding: data, as: UTF8.self))
        }
    }

    static func write() throws {
        let folder = package.appending(path: "Sources/CommandLineTool/BuiltInProfiles")
        let old = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false))
        for name in old where name.contains("+") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        func write(_ name: String, _ profiles: [String]) throws {
            let text = "extension BuiltInProfile {\n\(profiles.joined(separator: "\n"))}\n"
            let file = folder.appending(path: "BuiltInProfile+\(name).swift")
            try Data(text.utf8).write(to: file)
        }
        let (files, races) = (try files(in: ""), try files(in: "races"))
        for (name, text) in files { try write(name, [source(name, text)]) }
        var parts: [[String]] = [[]]
        for (name, text) in races {
            let source = source(name, text, in: "races/")
            let lines = (parts.last ?? []).joined().count { $0 == "\n" }
            if lines + source.count(where: { $0 == "\n" }) > linesMax { parts.append([]) }
            parts[parts.count - 1].append(source)
        }
        for (index, part) in parts.enumerated() { try write("races-\(index + 1)", part) }
        let lists = [("all", "Every one", files), ("races", "Scenarios of races", races)].map {
            "    /// \($1), in the order of their names.\n"
                + "    static let \($0): [BuiltInProfile] = [\n"
                + $2.map { "        .\(identifier($0.name)),\n" }.joined() + "    ]\n"
        }
        try write("All", lists)
    }

    private static func source(_ name: String, _ text: String, in folder: String = "") -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(pieces)
        let body = lines.map { $0.isEmpty ? "\n" : "            \($0)\n" }.joined()
        return """
                /// `Profiles/\(folder)\(name).json`.
                static let \(identifier(name)) = BuiltInProfile(
                    name: "\(name)",
                    text: #\"""
            \(body)            \"""#)

            """
    }

    /// A line in pieces that fit a source, all but the last with a mark that the line goes on.
    private static func pieces(_ line: Substring) -> [String] {
        var rest = line
        var pieces: [String] = []
        while rest.count > 80 {
            pieces.append(rest.prefix(80) + "\\#")
            rest = rest.dropFirst(80)
        }
        return pieces + [String(rest)]
    }

    private static func identifier(_ name: String) -> String {
        let words = name.split(separator: "-").map(String.init)
        return words.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalized }
            .joined()
    }
}
