/// The version of `summary.json`; it rises when a member is removed or changes its meaning.
struct SummaryVersion: Sendable {
    static let current: Int64 = 6
}

extension SummaryVersion: Codable {
    /// Reads a version that this build knows.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let version = try container.decode(Int64.self)
        guard version == SummaryVersion.current else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "this squall reads version \(SummaryVersion.current), got"
                    + " \(version); use the squall that wrote the file")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(SummaryVersion.current)
    }
}
