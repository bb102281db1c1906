import SquallBackend
public import SquallHTTP

/// One row of the contract: how a call is made, what it takes and gives, and how it is refused.
///
/// Routing, the names in results and the OpenAPI documents all come from these rows.
public struct Operation: Sendable {
    /// The protocol it belongs to.
    public let year: ContractYear
    /// The verb.
    public let method: HTTPMethod
    /// The path, its variable names in braces: `/v1/posts/{post_id}`.
    public let path: String
    /// The name it has in results.
    public let name: ContractCall
    /// What it does, in one sentence.
    public let summary: String
    /// The parameters of its query string.
    public let query: [Member]
    /// The body it takes.
    public let input: Input
    /// The body of its success, whose status is always 200.
    public let output: Output
    /// Its own refusals, without those that its access and its path add.
    public let ownRefusals: [Refusal]

    /// What a request has to show besides the key.
    public enum Access: Sendable {
        /// Nothing.
        case open
        /// The access token, which may have expired, and the refresh token.
        case refreshToken
        /// The access token.
        case accessToken
    }

    /// A body that a call takes.
    public enum Input: Sendable {
        /// None.
        case none
        /// A JSON object.
        case json([Member])
        /// A `multipart/form-data`.
        case form([Member])
    }

    /// A body that a call gives.
    public enum Output: Sendable {
        /// A JSON object with the name of its schema.
        case json(String)
        /// No bytes at all.
        case empty
        /// A file.
        case bytes
    }

    /// Every row, year by year.
    public static let all: [Operation] = year2023 + year2024

    /// The names of a year's rows: answering a call needs no more, and copies no row.
    static func calls(of year: ContractYear) -> [ContractCall] {
        year == .year2023 ? calls2023 : calls2024
    }

    private static let calls2023 = year2023.map(\.name)
    private static let calls2024 = year2024.map(\.name)

    /// What a request has to show besides the key.
    public var access: Access { name.access }

    /// Every refusal the call can meet, in the order of their statuses.
    public var refusals: [Refusal] {
        let common: [Refusal] = [.wrongKey, .tooManyCalls]
        let token: [Refusal] = [.unverifiableAccessToken, .forbidden, .accessTokenExpired]
        let path: [Refusal] = path.contains("_id}") ? [.serverError] : []
        let all = ownRefusals + (access == .accessToken ? token : []) + path + common
        return all.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
    }
}

extension Operation: CustomStringConvertible {
    /// The verb and the path.
    public var description: String { "\(method) \(path)" }
}

/// A member of a body or a parameter of a query.
public struct Member: Sendable, Hashable {
    /// Its name on the wire.
    public let name: String
    /// What it holds.
    public let type: ValueType
    /// Whether it must be there.
    public let isRequired: Bool

    init(_ name: String, _ type: ValueType = .text, isRequired: Bool = true) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }

    /// The kinds of value.
    public indirect enum ValueType: Sendable, Hashable {
        /// A string.
        case text
        /// A whole number.
        case integer
        /// True or false.
        case flag
        /// A file in a form.
        case file
        /// Several values of a kind.
        case list(ValueType)
        /// An object with the name of its schema.
        case object(String)
    }
}
