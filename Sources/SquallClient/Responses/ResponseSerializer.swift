import Foundation
public import SquallHTTP

/// Turns a response into a value.
public struct ResponseSerializer<Value: Sendable>: Sendable {
    /// True if a failure here asks the retriers once more.
    @usableFromInline let consultsRetrier: Bool
    @usableFromInline let serialize: @Sendable (Attempt, Request) -> Result<Value, AFError>

    @inlinable
    init(
        consultsRetrier: Bool,
        serialize: @escaping @Sendable (Attempt, Request) -> Result<Value, AFError>
    ) {
        self.consultsRetrier = consultsRetrier
        self.serialize = serialize
    }

    /// A serializer of the program's own.
    ///
    /// - Parameter serialize: gets the request, the answer's head and body, and the error there
    ///   already is; what it throws becomes `customSerializationFailed` unless it is an `AFError`.
    public init(
        _ serialize:
            @escaping @Sendable (
                URLRequest?, HTTPURLResponse?, Body?, AFError?
            ) throws -> Value
    ) {
        self.init(consultsRetrier: true) { attempt, _ in
            do {
                return .success(
                    try serialize(
                        attempt.request, attempt.response, attempt.body, attempt.error))
            } catch {
                return .failure(
                    error.asAFError {
                        .responseSerializationFailed(reason: .customSerializationFailed(error: $0))
                    })
            }
        }
    }
}

extension ResponseSerializer {
    /// A serializer with another result where the server's response makes it one; without a
    /// response, it fails as this one does.
    public func revising(
        _ revise:
            @escaping @Sendable (HTTPURLResponse, Result<Value, AFError>) -> Result<
                Value, AFError
            >
    ) -> ResponseSerializer {
        ResponseSerializer(consultsRetrier: consultsRetrier) { [serialize] attempt, request in
            let result = serialize(attempt, request)
            return attempt.response.map { revise($0, result) } ?? result
        }
    }
}

/// Which answers may rightly have no body.
public struct BodyRules: Sendable {
    /// Statuses whose answers may have no body.
    public var emptyResponseCodes: [Int] = [204, 205]
    /// Verbs whose answers may have no body.
    public var emptyRequestMethods: [HTTPMethod] = [.head]

    /// Alamofire's rules.
    public init() {}

    /// Alamofire's rules with some of them changed.
    public init(_ change: (inout BodyRules) -> Void) { change(&self) }
}

/// What there is to read in an answer.
@usableFromInline
enum Content: Sendable {
    case body(Body)
    /// There is no body, and rightly so.
    case rightlyEmpty
    case failure(AFError)
}

extension Attempt {
    /// What there is to read, by Alamofire's rules for a body that may or may not be there.
    @usableFromInline
    func content(_ rules: BodyRules?) -> Content {
        if hasFailed, let error { return .failure(error) }
        guard let body, !body.isEmpty else { return emptyContent(rules ?? BodyRules()) }
        return .body(body)
    }

    /// The failure of whoever wants the bytes, without a copy of them.
    var contentError: AFError? {
        if hasFailed { return error }
        guard !hasBytes, case .failure(let error) = emptyContent(BodyRules()) else { return nil }
        return error
    }

    private func emptyContent(_ rules: BodyRules) -> Content {
        let isRight =
            request.map { rules.emptyRequestMethods.contains($0.method) } == true
            || response.map { rules.emptyResponseCodes.contains($0.statusCode) } == true
        return isRight
            ? .rightlyEmpty
            : .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
    }
}

/// A type with a value that stands for an answer without a body.
public protocol EmptyResponse: Sendable {
    /// The value that stands for an absent body.
    static func emptyValue() -> Self
}

/// Nothing, where a decoded value is asked for.
public struct Empty: EmptyResponse, Codable, Hashable {
    /// The only one there is.
    public static let value = Empty()

    /// The value of a response without a body.
    public init() {}

    /// The only value, ``value``.
    public static func emptyValue() -> Empty { value }
}

extension ResponseSerializer where Value: Decodable {
    /// Decodes the body, by the environment's decoder unless given one; an answer that rightly has
    /// none is the type's empty value.
    @inlinable
    public static func decodable(
        by decoder: (any DataDecoder)? = nil, rules: BodyRules? = nil
    ) -> ResponseSerializer {
        // A closure that holds nothing is made without memory.
        guard decoder != nil || rules != nil else {
            return ResponseSerializer(consultsRetrier: true) { attempt, request in
                decoded(attempt, by: request.session.environment.decoder, nil)
            }
        }
        return ResponseSerializer(consultsRetrier: true) { attempt, request in
            decoded(attempt, by: decoder ?? request.session.environment.decoder, rules)
        }
    }

    @inlinable
    static func decoded(
        _ attempt: Attempt, by decoder: any DataDecoder, _ rules: BodyRules?
    ) -> Result<Value, AFError> {
        switch attempt.content(rules) {
        case .failure(let error): return .failure(error)
        case .rightlyEmpty: return emptyValue()
        case .body(let body):
            do { return .success(try decoder.decode(Value.self, from: body)) } catch {
                return .failure(
                    .responseSerializationFailed(reason: .decodingFailed(error: error)))
            }
        }
    }

    @usableFromInline
    static func emptyValue() -> Result<Value, AFError> {
        if let type = Value.self as? any EmptyResponse.Type, let empty = type.emptyValue() as? Value
        {
            return .success(empty)
        }
        return .failure(
            .responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(Value.self)")))
    }
}

extension ResponseSerializer<Body> {
    /// The body as it is; any is a success.
    public static func data(rules: BodyRules? = nil) -> ResponseSerializer {
        guard let rules else {
            return ResponseSerializer(consultsRetrier: true) { attempt, _ in
                data(of: attempt, nil)
            }
        }
        return ResponseSerializer(consultsRetrier: true) { attempt, _ in data(of: attempt, rules) }
    }

    private static func data(of attempt: Attempt, _ rules: BodyRules?) -> Result<Body, AFError> {
        switch attempt.content(rules) {
        case .failure(let error): .failure(error)
        case .rightlyEmpty: .success(.empty)
        case .body(let body): .success(body)
        }
    }
}

extension ResponseSerializer<String> {
    /// The body as text: in the given encoding, in the one the answer names, or in ISO Latin 1.
    public static func string(
        encoding: TextEncoding? = nil, rules: BodyRules? = nil
    ) -> ResponseSerializer {
        ResponseSerializer(consultsRetrier: true) { attempt, _ in
            switch attempt.content(rules) {
            case .failure(let error): return .failure(error)
            case .rightlyEmpty: return .success("")
            case .body(let body):
                let encoding =
                    encoding ?? attempt.response?.textEncodingName.flatMap(TextEncoding.init(name:))
                    ?? .isoLatin1
                guard let text = encoding.text(of: body.bytes) else {
                    return .failure(
                        .responseSerializationFailed(
                            reason: .stringSerializationFailed(encoding: encoding)))
                }
                return .success(text)
            }
        }
    }
}

extension ResponseSerializer<Body?> {
    /// The body as it is, also when there is none; asks the retriers nothing.
    public static var raw: ResponseSerializer {
        ResponseSerializer(consultsRetrier: false) { attempt, _ in
            attempt.error.map(Result.failure) ?? .success(attempt.body)
        }
    }
}

/// Foundation's JSON decoder with its defaults, as the apps use it.
public struct FoundationJSONDecoder: DataDecoder {
    private let decoder = JSONDecoder()

    /// A decoder with Foundation's defaults.
    public init() {}

    /// Decodes a value from a JSON body.
    ///
    /// - Throws: Foundation's `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        try decoder.decode(type, from: Data(body.bytes))
    }
}
