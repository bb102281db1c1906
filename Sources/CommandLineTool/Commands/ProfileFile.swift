import Foundation
import SquallFormat
import SquallLab
import SquallProfile
import SquallReport

/// A profile as the command line names it: a path, the name of a file in `Profiles`, or `-`.
struct ProfileFile {
    static let folder = "Profiles"

    /// How the word on the command line was.
    let word: String
    /// The profile's name in results: the file's name without its extension.
    let name: String
    /// The file as messages name it.
    let path: String

    /// Finds out what is meant by a word.
    ///
    /// - Throws: when it is neither a path nor the name of a profile.
    init(_ word: String, console: any Console) throws {
        self.word = word
        if word == "-" {
            name = "stdin"
            path = "standard input"
        } else if word.contains("/") || word.hasSuffix(".json") {
            name = URL(filePath: word).deletingPathExtension().lastPathComponent
            path = word
        } else {
            name = word
            path = "\(ProfileFile.folder)/\(word).json"
            let names = try ProfileFile.names(console)
            guard names.contains(word) else {
                throw CommandFailure.usage(
                    "there is no profile '\(word)' in \(ProfileFile.folder)/."
                        + Spelling.hint(for: word, among: names) + " See: squall profiles")
            }
        }
    }

    /// The names of the files in `Profiles`, sorted; none when there is no such folder.
    static func names(_ console: any Console) throws -> [String] {
        let folder = console.file(ProfileFile.folder).path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        let files = try readable(folder) { try FileManager.default.contentsOfDirectory(atPath: $0) }
        return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    /// Reads and checks the profile.
    ///
    /// - Throws: ``InvalidProfile`` with every problem, or a failure when it cannot be read.
    func read(
        _ vocabulary: ProfileVocabulary, console: any Console, _ overrides: [ProfileOverride]
    ) throws -> Profile {
        let bytes = try ProfileFile.readable(path) { path in
            if word == "-" { return try console.readInput() }
            return Array(try Data(contentsOf: console.file(path)))
        }
        return try Profile.read(
            bytes, file: path, vocabulary: vocabulary, overrides: overrides
        ).readingArrivalLogs { try arrivalLog($0, console: console) }
    }

    /// What stands in the file.
    func text(console: any Console) throws -> String {
        try ProfileFile.readable(path) { path in
            String(decoding: try Data(contentsOf: console.file(path)), as: UTF8.self)
        }
    }

    /// The profile, or a failure that says everything that is wrong with it.
    func profile(
        _ vocabulary: ProfileVocabulary, console: any Console, _ overrides: [ProfileOverride]
    ) throws -> Profile {
        do {
            return try read(vocabulary, console: console, overrides)
        } catch let invalid as InvalidProfile {
            throw invalid.failure
        }
    }

    /// The instants of a file of arrivals that lies beside the profile.
    private func arrivalLog(_ file: String, console: any Console) throws -> ArrivalLog {
        let folder = console.file(word == "-" ? "." : path).deletingLastPathComponent()
        let url = word == "-" ? console.file(file) : folder.appending(path: file)
        let text = try ProfileFile.readable(file) { _ in
            String(decoding: try Data(contentsOf: url), as: UTF8.self)
        }
        do { return try ArrivalLog(file: file, text: text) } catch {
            throw CommandFailure(code: .invalidInput, description: "\(file), \(error)")
        }
    }

    private static func readable<Value>(
        _ path: String, _ read: (String) throws -> Value
    ) throws -> Value {
        do {
            return try read(path)
        } catch {
            throw CommandFailure.inputOutput("cannot read \(path): \(error.reason)")
        }
    }
}

extension InvalidProfile {
    /// The failure that the process ends with.
    var failure: CommandFailure {
        let isFileInnocent = problems.allSatisfy(\.isOverride)
        return CommandFailure(
            code: isFileInnocent ? .usage : .invalidInput, description: description)
    }
}

extension Error {
    /// What went wrong with a file, without the technical surroundings.
    var reason: String {
        guard systemNumber != 0, let text = strerror(systemNumber) else {
            let isMissing = (self as? CocoaError)?.code == .fileReadNoSuchFile
            return isMissing ? "no such file" : localizedDescription
        }
        return String(cString: text)
    }

    /// The operating system's number for it; 0 when it has none.
    var systemNumber: Int32 {
        let underlying = (self as? CocoaError)?.underlying.map { $0 as NSError }
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return 0 }
        return Int32(underlying.code)
    }
}
