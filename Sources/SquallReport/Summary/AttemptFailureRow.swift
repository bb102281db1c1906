import SquallFormat

/// The count of failures of one kind at one endpoint; expired responses do not count.
public struct AttemptFailureRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The endpoint's name.
    public let endpoint: String
    /// Its verb and path, as the service declares them; empty when undeclared.
    public let path: String
    /// A status, or the name of the error when there was no response.
    public let status: String
    /// The number of such failures.
    public internal(set) var count: Int64
    /// The user of the first one.
    let user: Int64
    /// The moment at which the first ended.
    public let atNanoseconds: Int64

    /// A row from its parts.
    public init(
        population: String, endpoint: String, path: String, status: String, count: Int64,
        user: Int64, atNanoseconds: Int64
    ) {
        self.population = population
        self.endpoint = endpoint
        self.path = path
        self.status = status
        self.count = count
        self.user = user
        self.atNanoseconds = atNanoseconds
    }
}

/// A problem found although no call failed, with its count in one population.
public struct AuditRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app its users have.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The kind of problem, without variable parts: `purchase.twice`.
    public let kind: String
    /// The words that follow the count: `purchases paid for twice`.
    let description: String
    /// The number of occurrences.
    public internal(set) var count: Int64
    /// The first occurrence: its user and place.
    public let example: String

    /// A row from its parts.
    public init(
        population: String, app: String, design: String, kind: String, description: String,
        count: Int64, example: String
    ) {
        self.population = population
        self.app = app
        self.design = design
        self.kind = kind
        self.description = description
        self.count = count
        self.example = example
    }
}

/// Responses of a real server that the profile does not describe, of one kind.
public struct UnexpectedResponse: Codable, Equatable, Sendable {
    /// The kind of deviation.
    public let kind: Kind
    /// The endpoints that gave them, in the order of their first.
    public private(set) var endpoints: [String]
    /// The number of such responses.
    public private(set) var count: Int64
    /// The first, in short and without its values: `200 JSON object with id, name`.
    public let response: String
    /// The response that the profile describes, in short.
    let expected: String
    /// The consequence, and the setting that describes such responses, in sentences.
    public let advice: String

    /// The kinds of deviation of a response from the profile.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case refusal, refusedRefresh, refusedSignIn, tokens, body, page, redirect
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

    /// The responses of several lists, each kind once.
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

    /// The count, the endpoints and the response, in a sentence.
    public var headline: String {
        let places = endpoints.prefix(3).joined(separator: ", ")
        return "\(Units.counted(count, "response")) of \(places)"
            + (endpoints.count > 3 ? " and more" : "")
            + " that the profile does not describe: \(response)"
    }

    /// The expected response, and the way out.
    public var detail: String { "The profile says: \(expected). \(advice)" }
}
