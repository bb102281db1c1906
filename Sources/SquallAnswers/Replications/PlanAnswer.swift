public import SquallFormat
import SquallLab
public import SquallReport

/// An answer from many runs, in all the forms in which it is stored.
public protocol PlanAnswer: Encodable {
    /// The name of the file with its table.
    static var csvFile: String { get }
    /// The answer as a document for readers.
    var document: AnswerDocument { get }
    /// A table of its numbers, each exact.
    var csv: String { get }
    /// The document that can be read back.
    var json: String { get }
    /// Attempts that were simulated for it.
    var requests: Int64 { get }
    /// True if all expectations of it hold, or there are none.
    var hasPassed: Bool { get }
    /// The settings that were neither measured nor given; nil where there are none.
    var assumed: [AssumedRow]? { get set }
}

extension PlanAnswer {
    /// The document that can be read back.
    public var json: String { JSONDocument.text(self) }

    /// False if it rests on settings that were neither measured nor given.
    public var isMeasured: Bool { assumed?.decisive.isEmpty ?? true }

    /// The document, with the assumed settings on which the answer rests.
    public var wholeDocument: AnswerDocument {
        var document = document
        guard let assumed, !assumed.isEmpty else { return document }
        document.sections.append(.assumed(assumed))
        guard let warning = assumed.warning else { return document }
        document.remarks.insert(warning, at: 0)
        if document.verdict != .failed { document.verdict = .notMeasured }
        return document
    }

    /// Its files, and the name of their folder: the kind of answer and the first digits of its
    /// fingerprint.
    public func kept(
        _ document: AnswerDocument, json: String
    ) -> (files: [(name: String, text: String)], folder: String) {
        let kind = document.kind.lowercased()
        var fingerprint = Fingerprint()
        fingerprint.add(json)
        return (
            [("\(kind).json", json), ("report.html", document.html), (Self.csvFile, csv)],
            "\(kind)-\(fingerprint.text.prefix(8))"
        )
    }
}

extension Profile {
    /// A sentence about the part of each replication that counts, and its effect on the answer.
    var measurementWindow: String {
        switch warmUp {
        case .none:
            "Each replication counts from its beginning (terminating): no warm-up is excluded."
        case .first(let nanoseconds):
            "The first \(Units.setting(nanoseconds: nanoseconds)) of each replication (warm-up) is"
                + " excluded; the rest is assumed to be steady."
        case .mser5:
            "The warm-up of each replication, as MSER-5 finds it, is excluded."
        }
    }
}
