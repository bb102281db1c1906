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
    /// Whether files of arrivals may lie outside the profile's folder.
    private let allowsOutside: Bool
    /// The most that is read of a file of arrivals.
    private static let arrivalBytesMax = 64 << 20

    /// Finds out what is meant by a word.
    ///
    /// - Throws: when it is neither a path nor the name of a profile.
    init(_ word: String, console: any Console, allowsOutside: Bool = false) throws {
        self.word = word
        self.allowsOutside = allowsOutside
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

    /// How a command that repeats something names the profile: the same, however it was named here.
    func canonicalWord(_ console: any Console) -> String {
        guard word != "-" else { return word }
        func parts(_ url: URL) -> [String] {
            url.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        }
        let file = parts(console.file(path))
        let folder = parts(console.directory)
        guard file.starts(with: folder) else {
            return "/" + file.dropFirst().joined(separator: "/")
        }
        let own = Array(file.dropFirst(folder.count))
        let isStored = own.count == 2 && own[0] == ProfileFile.folder && own[1].hasSuffix(".json")
        return isStored ? name : own.joined(separator: "/")
    }

    /// Reads and checks the profile.
    ///
    /// - Throws: ``InvalidProfile`` with every problem, or a failure when it cannot be read.
    func read(
        _ vocabulary: ProfileVocabulary, console: any Console, _ overrides: [ProfileOverride]
    ) throws -> LoadedProfile {
        let bytes = try ProfileFile.readable(path) { path in
            if word == "-" { return try console.readInput() }
            return try ProfileFile.bytes(of: console.file(path), atMost: Profile.fileSizeLimit + 1)
        }
        let (profile, document) = try Profile.reading(
            bytes, file: path, vocabulary: vocabulary, overrides: overrides)
        var files: [Manifest.File] = []
        let whole = try profile.readingArrivalLogs { file in
            let log = try arrivalLog(file, console: console)
            files.append(Manifest.File(name: file, hash: log.hash))
            return log.log
        }
        return LoadedProfile(profile: whole, document: document, files: files)
    }

    /// The profile, or a failure that says everything that is wrong with it.
    func profile(
        _ vocabulary: ProfileVocabulary, console: any Console, _ overrides: [ProfileOverride]
    ) throws -> LoadedProfile {
        do {
            return try read(vocabulary, console: console, overrides)
        } catch let invalid as InvalidProfile {
            throw invalid.failure
        }
    }

    /// The instants of a file of arrivals that lies beside the profile.
    private func arrivalLog(
        _ file: String, console: any Console
    ) throws -> (log: ArrivalLog, hash: String) {
        let folder =
            word == "-" ? console.directory : console.file(path).deletingLastPathComponent()
        let url = file.hasPrefix("/") ? URL(filePath: file) : folder.appending(path: file)
        guard allowsOutside || url.isInside(folder) else {
            throw CommandFailure(
                code: .invalidInput,
                description: "\(file) is not beside or below the profile \(path);"
                    + " --allow-outside lets files of arrivals lie anywhere")
        }
        let bytes = try ProfileFile.readable(file) { _ in
            try ProfileFile.bytes(of: url, atMost: ProfileFile.arrivalBytesMax + 1)
        }
        guard bytes.count <= ProfileFile.arrivalBytesMax else {
            throw CommandFailure(
                code: .invalidInput, description: "\(file) is larger than 64 MiB")
        }
        do {
            let log = try ArrivalLog(file: file, text: String(decoding: bytes, as: UTF8.self))
            return (log, Version.hash(of: bytes))
        } catch {
            throw CommandFailure(code: .invalidInput, description: "\(file), \(error)")
        }
    }

    /// The beginning of a file, which may be a pipe or have no end.
    private static func bytes(of file: URL, atMost limit: Int) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var bytes: [UInt8] = []
        while bytes.count < limit,
            let part = try handle.read(upToCount: min(1 << 20, limit - bytes.count)), !part.isEmpty
        {
            bytes += part
        }
        return bytes
    }

    static func readable<Value>(
        _ path: String, _ read: (String) throws -> Value
    ) throws -> Value {
        do {
            return try read(path)
        } catch {
            throw CommandFailure.inputOutput("cannot read \(path): \(error.reason)")
        }
    }
}

/// A profile that was read, and what it takes to read it again.
struct LoadedProfile {
    var profile: Profile
    /// The document that asks for it, overrides put in.
    var document: JSONNode
    /// The files of arrivals it names.
    let files: [Manifest.File]
}

extension URL {
    /// Whether a file lies in a folder or below it, links followed.
    fileprivate func isInside(_ folder: URL) -> Bool {
        let own = standardizedFileURL.resolvingSymlinksInPath().pathComponents
        return own.starts(with: folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents)
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
