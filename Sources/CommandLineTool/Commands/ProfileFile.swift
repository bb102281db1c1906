import Foundation
import SquallFormat
import SquallLab
import SquallPlanning
import SquallProfile
import SquallReport

/// A profile as the command line names it: a path, the name of a file in `Profiles`, the name of
/// one that is part of the program, or `-`.
struct ProfileFile {
    static let folder = "Profiles"

    /// How the word on the command line was.
    let word: String
    /// The profile's name in results: the file's name without its extension.
    let name: String
    /// The file as messages name it.
    let path: String
    /// Its text where it is no file.
    private let builtIn: BuiltInProfile?

    /// Finds out what is meant by a word.
    ///
    /// - Throws: when it is neither a path nor the name of a profile.
    init(_ word: String, console: any Console) throws {
        self.word = word
        if word == "-" {
            name = "stdin"
            path = "standard input"
            builtIn = nil
        } else if word.contains("/") || word.hasSuffix(".json") {
            name = URL(filePath: word).deletingPathExtension().lastPathComponent
            path = word
            builtIn = nil
        } else {
            name = word
            let isFile = try ProfileFile.fileNames(console).contains(word)
            builtIn = isFile ? nil : BuiltInProfile.named(word)
            path = isFile ? "\(ProfileFile.folder)/\(word).json" : "built-in profile \(word)"
            guard isFile || builtIn != nil else {
                throw CommandFailure.usage(
                    "there is no profile '\(word)' in \(ProfileFile.folder)/ or built in."
                        + Spelling.hint(for: word, among: try ProfileFile.names(console))
                        + " See: squall profiles")
            }
        }
    }

    /// The names that can be asked for, sorted: of files in `Profiles`, and of those built in.
    static func names(_ console: any Console) throws -> [String] {
        Set(try fileNames(console) + BuiltInProfile.all.map(\.name)).sorted()
    }

    /// The names of the files in `Profiles`, sorted; none when there is no such folder.
    private static func fileNames(_ console: any Console) throws -> [String] {
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
        try Profile.read(
            bytes(console), file: path, vocabulary: vocabulary, overrides: overrides
        ).readingArrivalLogs { try arrivalLog($0, console: console) }
    }

    /// The file's content.
    func bytes(_ console: any Console) throws -> [UInt8] {
        try ProfileFile.readable(path) { path in
            if let builtIn { return Array(builtIn.text.utf8) }
            if word == "-" { return try console.readInput() }
            return Array(try Data(contentsOf: console.file(path)))
        }
    }

    /// The profile as a question that can be asked again with other settings.
    ///
    /// The overrides are said instead of the file in any case; `change` is done whenever it is read.
    func question(
        _ vocabulary: ProfileVocabulary, console: any Console, _ overrides: [ProfileOverride],
        _ change: @escaping @Sendable (Profile) throws -> Profile
    ) throws -> Question {
        let (bytes, path) = (try bytes(console), path)
        let folder = logFolder(console)
        return try Question(name) { number in
            try Profile.number(
                at: number, in: bytes, file: path, vocabulary: vocabulary, overrides: overrides)
        } read: { further in
            let profile = try Profile.read(
                bytes, file: path, vocabulary: vocabulary, overrides: overrides + further)
            return try change(
                profile.readingArrivalLogs { try ProfileFile.arrivalLog($0, in: folder) })
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
        let place = "\(url.path(percentEncoded: false)), which \(path) names for its arrivals"
        let text = try ProfileFile.readable(place) { _ in
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
