import SquallFormat

/// Responses of a real server that the profile does not describe, of one kind.
public struct UnexpectedResponse: Codable, Equatable, Sendable {
    /// What is unexpected in them.
    public let kind: Kind
    /// The endpoints that gave them, in the order of their first.
    public private(set) var endpoints: [String]
    /// How many.
    public private(set) var count: Int64
    /// The first, in short and without its values: `200 JSON object with id, name`.
    public let response: String
    /// What the profile says that comes, in short.
    let expected: String
    /// What follows, and which setting describes such responses, in sentences.
    public let advice: String

    /// What may be unexpected in a response.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case refusal, refusedRefresh, refusedSignIn, tokens, body, page
    }

    /// The first of a kind.
    public init(
        _ kind: Kind, endpoint: String, response: String, expected: String, advice: String
    ) {
        (self.kind, endpoints, count) = (kind, [endpoint], 1)
        (self.response, self.expected, self.advice) = (response, expected, advice)
    }

    /// Counts another one.
    public mutating func add(endpoint: String) {
        count += 1
        if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
    }

    /// Those of several lists, each kind once.
    static func united(_ all: [UnexpectedResponse]) -> [UnexpectedResponse] {
        all.reduce(into: []) { kinds, found in
            guard let place = kinds.firstIndex(where: { $0.isLike(found) }) else {
                return kinds.append(found)
            }
            kinds[place].count += found.count
            let known = kinds[place].endpoints
            kinds[place].endpoints += found.endpoints.filter { !known.contains($0) }
        }
    }

    private func isLike(_ other: UnexpectedResponse) -> Bool {
        kind == other.kind && response == other.response && expected == other.expected
    }

    /// How many of which endpoints gave what.
    public var headline: String {
        let places = endpoints.prefix(3).joined(separator: ", ")
        return "\(Units.counted(count, "response")) of \(places)"
            + (endpoints.count > 3 ? " and more" : "")
            + " that the profile does not describe: \(response)"
    }

    /// What was expected instead, and what to do.
    public var detail: String { "The profile says: \(expected). \(advice)" }
}
