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
        let files = try BuiltInSource.files()
        #expect(BuiltInProfile.all.map(\.name) == files.map(\.name))
        for (profile, file) in zip(BuiltInProfile.all, files) {
            #expect(profile.text == file.text, "UPDATE_GOLDEN=1 makes \(file.name) anew")
        }
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
        for profile in BuiltInProfile.all {
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

    /// The files of the repository, by name.
    static func files() throws -> [(name: String, text: String)] {
        let folder = package.appending(path: "Profiles")
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
        let files = try files()
        for (name, text) in files {
            let file = folder.appending(path: "BuiltInProfile+\(name).swift")
            try Data(source(name, text).utf8).write(to: file)
        }
        let list = files.map { "        .\(identifier($0.name)),\n" }.joined()
        let all = """
            extension BuiltInProfile {
                /// Every one, in the order of their names.
                static let all: [BuiltInProfile] = [
            \(list)    ]
            }

            """
        try Data(all.utf8).write(to: folder.appending(path: "BuiltInProfile+All.swift"))
    }

    private static func source(_ name: String, _ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(pieces)
        let body = lines.map { $0.isEmpty ? "\n" : "            \($0)\n" }.joined()
        return """
            extension BuiltInProfile {
                /// `Profiles/\(name).json`.
                static let \(identifier(name)) = BuiltInProfile(
                    name: "\(name)",
                    text: #\"""
            \(body)            \"""#)
            }

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
