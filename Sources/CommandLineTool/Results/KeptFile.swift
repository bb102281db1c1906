import Foundation
import SquallFormat
import SquallReport

/// A file of results that was kept and is read back.
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

    /// What is in it, held against the manifest beside it.
    ///
    /// - Parameters:
    ///   - kind: what the file should be, for messages, such as `summary`.
    ///   - wayOut: what to do when it is not.
    ///   - decode: reads it.
    /// - Returns: what was read.
    /// - Throws: when it is no such file of this version, or not what was written.
    func content<Content>(
        _ kind: String, wayOut: String, _ decode: (Data) throws -> Content
    ) throws -> Content {
        let content: Content
        do { content = try decode(data) } catch {
            throw CommandFailure(
                code: .invalidInput,
                description: "\(url.shown) is no \(kind) that this version wrote: \(error)\n"
                    + wayOut)
        }
        try WrittenFiles.check(url, data)
        return content
    }

    /// The runs of a summary: one, or a list of several.
    ///
    /// - Throws: as ``content(_:wayOut:_:)`` does.
    func summaries() throws -> [RunSummary] {
        try content("summary", wayOut: "make it again: squall run … --summary \(url.shown)") {
            firstByte == UInt8(ascii: "[")
                ? try JSONDocument.read([RunSummary].self, from: $0)
                : [try JSONDocument.read(RunSummary.self, from: $0)]
        }
    }

    /// The parsed text; nil where it is no JSON.
    var document: JSONNode? { try? JSONParser.parse(Array(data)) }

    private var firstByte: UInt8? { data.first { !" \n\t\r".utf8.contains($0) } }
}
