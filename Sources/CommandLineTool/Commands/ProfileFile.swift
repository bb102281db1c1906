import Foundation
import SquallAnswers
import SquallFit
import SquallFormat
import SquallLab
import SquallLive
import SquallReport

/// A profile as the command line names it: a path, the name of a file in `Profiles`, the name of
/// a built-in profile, or `-`.
struct ProfileFile {
    static let folder = "Profiles"
    /// The folder of the scenarios of `squall explore`, which have separate names.
    static let raceFolder = "Profiles/races"
    /// The folder of the profiles that declare an app of their own.
    static let declaredFolder = "Profiles/declared"

    /// The word on the command line.
    let word: String
    /// The profile's name in results: the file's name without its extension.
    let name: String
    /// The file as messages name it.
    let path: String
    /// The built-in profile; nil for a file.
    private let builtIn: BuiltInFile?
    private let console: any Console
    /// True if files of arrivals may lie outside the profile's folder.
    private let allowsOutside: Bool
    /// The names of the only populations that are wanted; none for all.
    private let populations: [String]
    /// The apps and calls that a profile made of an API's document may name.
    private let vocabulary: ProfileVocabulary?

    /// Finds the profile that a word names.
    ///
    /// - Throws: when the word is neither a path nor the name of a profile.
    init(
        _ word: String, console: any Console, allowsOutside: Bool = false,
        populations: [String] = [], vocabulary: ProfileVocabulary? = nil
    ) throws {
        (self.word, self.console, self.allowsOutside) = (word, console, allowsOutside)
        self.vocabulary = vocabulary
        self.populations = populations
        try Self.refuseOthers(word)
        if word == "-" {
            (name, path, builtIn) = ("stdin", "standard input", nil)
        } else if Self.isPath(word) {
            name = URL(filePath: word).deletingPathExtension().lastPathComponent.asFolderName
            (path, builtIn) = (word, nil)
        } else {
            name = word
            let folder = try [
                ProfileFile.folder, ProfileFile.raceFolder, ProfileFile.declaredFolder,
            ].first { try ProfileFile.fileNames(in: $0, console).contains(word) }
            builtIn = folder == nil ? BuiltInFile.profile(named: word) : nil
            path = folder.map { "\($0)/\(word).json" } ?? "built-in profile \(word)"
            guard folder != nil || builtIn != nil else {
                try Self.refuseFile(word, console)
                try Self.refuseAddress(word)
                let names =
                    try ProfileFile.names(console) + ProfileFile.raceNames(console)
                    + ProfileFile.declaredNames(console)
                let kind =
                    (word as NSString).pathExtension.isEmpty
                    ? "" : " " + Self.form
                throw CommandFailure.usage(
                    "there is no profile '\(word)' in \(ProfileFile.folder)/ or built in."
                        + Spelling.hint(for: word, among: names) + kind + " See: squall profiles")
            }
        }
    }

    /// Says how a file or folder is named that is there but has the form of a profile's name.
    private static func refuseFile(_ word: String, _ console: any Console) throws {
        let file = console.file(word)
        guard file.exists else { return }
        throw CommandFailure.usage(
            file.isFolder
                ? "\(word) is a folder, and no profile has that name; name a file in it"
                : "there is no profile '\(word)'; for the file of that name write ./\(word)")
    }

    /// Refuses files of other tools by the endings of their names: read as YAML they would have
    /// mistakes that help as little.
    private static func refuseOthers(_ word: String) throws {
        let ending = (word as NSString).pathExtension.lowercased()
        guard others.contains(ending) else { return }
        throw CommandFailure.usage(
            "\(word) is no profile. \(form) To read a log: squall fit")
    }

    private static let form =
        "A profile is a .json or .yaml file: squall new my-api.json writes one."

    private static let others: Set = [
        "csv", "gz", "har", "html", "java", "jmx", "js", "jsonl", "log", "lua", "mjs", "py",
        "scala", "ts", "xml",
    ]

    /// True for a file's path, as opposed to a name or standard input.
    static func isPath(_ word: String) -> Bool {
        word.contains("/") || [".json", ".yaml", ".yml"].contains(where: word.hasSuffix)
    }

    /// The names of profiles, sorted: files in `Profiles` and built-in ones.
    static func names(_ console: any Console) throws -> [String] {
        Set(try fileNames(in: folder, console) + BuiltInFile.profiles.map(\.name)).sorted()
    }

    /// The names of race scenarios, sorted: files in their folder and built-in ones.
    static func raceNames(_ console: any Console) throws -> [String] {
        Set(try fileNames(in: raceFolder, console) + BuiltInFile.races.map(\.name)).sorted()
    }

    /// The names of profiles that declare an app, sorted: files in their folder.
    static func declaredNames(_ console: any Console) throws -> [String] {
        try fileNames(in: declaredFolder, console)
    }

    /// The names of the files in a folder, sorted; none if there is no such folder.
    private static func fileNames(
        in folder: String, _ console: any Console
    ) throws -> [String] {
        let folder = console.file(folder)
        guard folder.exists else { return [] }
        let files = try readable(folder.path(percentEncoded: false)) {
            try FileManager.default.contentsOfDirectory(atPath: $0)
        }
        return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    /// The name of the profile in commands that repeat something.
    ///
    /// It is `a.json` for `./a.json` too, and absolute if it was given so; it does not depend on
    /// the current folder.
    var canonicalWord: String {
        guard word != "-", builtIn == nil else { return word }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let own = parts.joined(separator: "/")
        guard !path.hasPrefix("/") else { return "/" + own }
        let isStored =
            parts.count == 2 && parts[0] == ProfileFile.folder && parts[1] == name + ".json"
        return isStored ? name : own.hasPrefix("-") ? "./" + own : own
    }

    /// Reads and checks the profile.
    ///
    /// - Throws: ``InvalidProfile`` with every problem, or a failure when it cannot be read.
    func read(
        _ vocabulary: ProfileVocabulary, _ overrides: [ProfileOverride]
    ) throws -> LoadedProfile {
        let (bytes, draft) = try content()
        let (profile, document) = try Profile.reading(
            bytes, file: path, vocabulary: vocabulary, overrides: overrides,
            onlyOf: populations)
        var files: [Manifest.File] = []
        let whole = try profile.readingArrivalLogs { file in
            let log = try logs(bytes).read(file)
            files.append(Manifest.File(name: file, hash: log.hash))
            return log.log
        }
        return LoadedProfile(profile: whole, document: document, files: files, draft: draft)
    }

    /// The profile's text.
    func bytes() throws -> [UInt8] { try content().bytes }

    /// The profile's text: the file's, or a draft of what an API's document in it describes.
    private func content() throws -> (bytes: [UInt8], draft: DraftedProfile?) {
        let limit = vocabulary == nil ? Profile.fileSizeLimit : ProfileDraft.openAPIBytesMax
        let bytes = try ProfileFile.readable(path) { path in
            if let builtIn { return builtIn.bytes }
            if word == "-" { return try console.readInput() }
            return try ProfileFile.bytes(of: console.file(path), atMost: limit + 1)
        }
        guard !bytes.allSatisfy({ " \n\r\t".utf8.contains($0) }) else {
            throw CommandFailure.invalid("\(path) is empty. \(Self.form)")
        }
        guard let vocabulary, builtIn == nil, DraftedProfile.isMeant(by: bytes) else {
            return (bytes, nil)
        }
        let draft = try DraftedProfile(bytes, of: path, vocabulary)
        return (Array(draft.text.utf8), draft)
    }

    /// The profile as a question that can be read again with other settings.
    ///
    /// `overrides` apply at every read, and so does `change`.
    func experiment(
        _ vocabulary: ProfileVocabulary, _ overrides: [ProfileOverride],
        _ change: @escaping @Sendable (Profile) throws -> Profile
    ) throws -> Experiment {
        let (bytes, path, populations) = (try bytes(), path, populations)
        let logs = logs(bytes)
        return try Experiment(name) { further in
            let (profile, document) = try Profile.reading(
                bytes, file: path, vocabulary: vocabulary, overrides: overrides + further,
                onlyOf: populations)
            return (try change(profile.readingArrivalLogs { try logs.read($0).log }), document)
        }
    }

    /// Reads the files of arrivals that the profile may name.
    private func logs(_ document: [UInt8]) -> ArrivalLogFiles {
        ArrivalLogFiles(
            profile: path, document: document, folder: folder, allowsOutside: allowsOutside)
    }

    /// The folder to look for files of arrivals in.
    var folder: URL {
        word == "-" || builtIn != nil
            ? console.directory : console.file(path).deletingLastPathComponent()
    }

    /// The first bytes of a file, which may be a pipe or endless.
    static func bytes(of file: URL, atMost limit: Int) throws -> [UInt8] {
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

    /// What a file is and which commands take it, where it is a profile or an API's document in the
    /// place of something else.
    static func misplaced(_ bytes: [UInt8]) -> String? {
        guard let node = try? JSONNode.reading(bytes) else { return nil }
        // A run's summary has populations, too, and a digest.
        if node["populations"] != nil, node["digest"] == nil {
            return "is a profile, which squall run plays"
        }
        return DraftedProfile.isMeant(by: bytes)
            ? "is an API's document, which squall run, serve and new --openapi take" : nil
    }

    /// Refuses addresses, also those without a scheme: `localhost:8080`.
    static func refuseAddress(_ path: String) throws {
        let isHost = !path.contains("/") && path.contains(":")
        guard path.contains("://") || isHost && (try? DriveTarget("http://" + path)) != nil else {
            return
        }
        throw CommandFailure.usage(
            "\(path) is an address, and only files are read: download it first, as with curl -O; a"
                + " server to ask goes to --target or --upstream")
    }

    static func readable<Value>(
        _ path: String, _ read: (String) throws -> Value
    ) throws -> Value {
        try refuseAddress(path)
        do { return try read(path) } catch {
            throw CommandFailure.system("cannot read \(path)", error)
        }
    }
}

/// A profile that was read, and what is needed to read it again.
struct LoadedProfile {
    var profile: Profile
    /// The profile's document with the overrides inserted.
    var document: JSONNode
    /// The files of arrivals that it names.
    let files: [Manifest.File]
    /// The draft that it is, where the file is an API's document.
    var draft: DraftedProfile?

    /// The draft as a file beside the results; nothing for a profile that was written.
    var draftFile: [(name: String, text: String)] {
        draft.map { [(DraftedProfile.name, $0.text)] } ?? []
    }
}

extension String {
    /// The text as a folder name that no command takes for an option, no listing hides, and no
    /// terminal interprets as a control sequence.
    fileprivate var asFolderName: String {
        let shown = String(
            String.UnicodeScalarView(
                unicodeScalars.map { String($0).visible == String($0) ? $0 : "_" }))
        return shown.isEmpty || shown.hasPrefix(".") || shown.hasPrefix("-") ? "_" + shown : shown
    }
}
