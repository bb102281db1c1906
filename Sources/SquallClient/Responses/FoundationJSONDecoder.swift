import Foundation
public import SquallHTTP

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
