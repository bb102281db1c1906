import Foundation
import SquallFormat
import SquallReport

/// A stored result file that is read back.
struct KeptFile {
    let url: URL
    private let data: Data

    /// Reads it.
    ///
    /// - Throws: why it cannot be read.
    init(_ url: URL) throws {
        self.url = url
        do { data = try Data(contentsOf: url) } catch {
            throw CommandFailure.system("cannot read \(url.shown)", error)
        }
    }

    /// A file of a run, at its place in the run's folder.
    ///
    /// - Throws: why it cannot be read, and which runs there are beside a folder that holds another
    ///   result.
    static func ofRun(_ name: String, at file: URL) throws -> KeptFile {
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        guard folder.isFolder || !folder.exists else {
            throw CommandFailure.usage(
                "\(folder.systemPath.visible) is a file; name the folder of a run:"
                    + " Results/<profile>/<run>")
        }
        let kinds = ["replications", "capacity", "comparison", "sweep", "exploration"]
        func has(_ name: String, in folder: URL) -> Bool {
            folder.appending(path: name).exists
        }
        guard file.lastPathComponent == name, folder.isFolder, !has(name, in: folder) else {
            return try KeptFile(file)
        }
        guard let kind = kinds.first(where: { has("\($0).json", in: folder) }) else {
            guard !has("summary.json", in: folder) else { return try KeptFile(file) }
            throw CommandFailure.usage(
                "\(folder.systemPath.visible) is a folder without a run: it has no \(name); name"
                    + " the folder of one: Results/<profile>/<run>")
        }
        let parent = folder.deletingLastPathComponent()
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: parent.path(percentEncoded: false))
        let runs = (names ?? []).sorted().map { parent.appending(path: $0) }
            .filter { $0.lastPathComponent != "latest" && has(name, in: $0) }
        let wayOut = runs.first.map { "Name the folder of a run: \($0.shown)" } ?? "Run the profile"
        throw CommandFailure.invalid(
            "\(file.deletingLastPathComponent().shown) holds a result of many runs"
                + " (\(kind).json), not of one run. \(wayOut)")
    }

    /// The file's content, checked against the manifest beside it.
    ///
    /// - Parameters:
    ///   - kind: the expected kind of file, for messages, such as `summary`.
    ///   - wayOut: what the user should do if it is another kind.
    ///   - decode: reads it.
    /// - Returns: the decoded content.
    /// - Throws: when it is another kind or version of file, or has changed since it was written.
    func content<Content>(
        _ kind: String, wayOut: String, _ decode: (Data) throws -> Content
    ) throws -> Content {
        let content: Content
        do { content = try decode(data) } catch {
            if let words = ProfileFile.misplaced(Array(data)) {
                throw CommandFailure.invalid("\(url.shown) \(words); \(wayOut)")
            }
            throw CommandFailure.invalid(
                "\(url.shown) is not a \(kind) that this version reads: \(error); \(wayOut)")
        }
        try WrittenFiles.check(url, data)
        return content
    }

    /// The runs in a summary file: one, or a list.
    ///
    /// - Throws: as ``content(_:wayOut:_:)`` does.
    func summaries() throws -> [RunSummary] {
        guard document?["distinctSchedules"] == nil else {
            throw CommandFailure.invalid(
                "\(url.shown) is a result of squall explore; give results of squall run")
        }
        guard document?["promises"] == nil else {
            throw CommandFailure.invalid(
                "\(url.shown) is a session of squall serve, which has no metrics; give results of"
                    + " squall run, drive or replay")
        }
        let wayOut = "give the summary.json of a run of this version"
        return try content("summary", wayOut: wayOut) {
            firstByte == UInt8(ascii: "[")
                ? try JSONDocument.read([RunSummary].self, from: $0)
                : [try JSONDocument.read(RunSummary.self, from: $0)]
        }
    }

    /// The runs in a summary file, none of which was interrupted.
    ///
    /// - Throws: as ``summaries()`` does, and where one was: its figures are no whole answer.
    func wholeSummaries() throws -> [RunSummary] {
        let summaries = try summaries()
        for summary in summaries { try refuse(partial: summary) }
        return summaries
    }

    /// Refuses the results of a run that was interrupted.
    func refuse(partial summary: RunSummary) throws(CommandFailure) {
        guard let sentence = summary.extent.sentence else { return }
        throw .invalid(
            "\(url.shown) is of a run of \(summary.profile.visible) that is not whole: \(sentence);"
                + " let it run to its end: \(summary.replay.visible)")
    }

    /// The parsed text; nil if it is no JSON.
    var document: JSONNode? { try? JSONParser.parse(Array(data)) }

    private var firstByte: UInt8? { data.first { !" \n\t\r".utf8.contains($0) } }
}
