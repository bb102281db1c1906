import SquallFormat
import SquallReport

/// Something that there is only so much of, and how much of it was in use.
public struct Resource: Codable, Hashable, Sendable {
    /// Its name, as a sentence says it.
    public let name: String
    /// The share that was in use on average; 1 when no more was to be had.
    public let busy: Double

    /// What a run tells of.
    static func all(of summary: RunSummary) -> [Resource] {
        guard let server = summary.server, let busy = server.utilisation else { return [] }
        return [Resource(name: "the server's workers", busy: busy)]
    }
}
