import SquallFormat
import SquallHTTP

/// The parts of a declared endpoint from which an app makes its calls.
extension DeclaredEndpoint {
    /// The parts of its requests, ready to be sent; `nil` where only their size is said.
    public var sent: SentParts? { request.map(SentParts.init) }

    /// Where a page of its list names its objects, and the next page.
    public var pageNames: (rows: [String], next: (variable: String, path: [String])?)? {
        guard let body = response?.body, response?.row != nil else { return nil }
        func path(_ names: [String]) -> (variable: String, path: [String])? {
            names.lazy.compactMap { name in
                Self.path(to: "{{\(name)}}", in: body).map { (name, $0) }
            }.first
        }
        return (path(["rows"])?.path ?? [], path(["next", "nextNumber", "nextText", "nextURL"]))
    }

    /// True if a header names the next page.
    public var hasLink: Bool { response?.headers.values.contains("{{link}}") ?? false }

    private static func path(to text: String, in json: JSON) -> [String]? {
        if json == .string(text) { return [] }
        return json.members.sorted { $0.key < $1.key }.lazy.compactMap { name, value in
            path(to: text, in: value).map { [name] + $0 }
        }.first
    }
}

/// The parts of a declared call's requests, with the object that they are about filled in.
public struct SentParts: Sendable {
    /// The query of each request.
    public let query: String
    /// The header fields of each request.
    public let headers: [(name: String, value: String)]
    /// The media type of the body; `nil` without one.
    public let type: String?
    private let path: [String: DeclaredTemplate]
    private let template: DeclaredTemplate?

    fileprivate init(_ request: DeclaredRequest) {
        query = request.query
        headers = request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value.plain) }
        path = request.path.compactMapValues { try? DeclaredTemplate($0, isText: true) }
        template = request.body.flatMap { try? DeclaredTemplate($0) }
        type =
            request.body == nil
            ? nil
            : [
                "json": "application/json", "form": "application/x-www-form-urlencoded",
                "multipart": "multipart/form-data; boundary=\(Self.boundary)",
            ][request.type]
    }

    private static let boundary = "squall-boundary"

    /// The value of a variable of the path.
    public func value(of variable: String, number: Int) -> String {
        let bytes = path[variable]?.bytes(.init(number: number))
        return bytes.map { String(decoding: $0, as: UTF8.self).inQuery } ?? "\(number)"
    }

    /// The body about an object.
    public func body(number: Int) -> [UInt8] {
        guard let template else { return [] }
        let bytes = template.bytes(.init(number: number))
        guard type != "application/json",
            case .object(let members)? = (try? JSONParser.parse(bytes)).map({ JSON($0) })
        else { return bytes }
        let fields = members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.plain) }
        guard type?.hasPrefix("multipart") == true else {
            let pairs = fields.map { "\($0.inQuery)=\($1.inQuery)" }
            return Array(pairs.joined(separator: "&").utf8)
        }
        let parts = fields.map { name, value in
            "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
                + "\(value)\r\n"
        }
        return Array((parts.joined() + "--\(Self.boundary)--\r\n").utf8)
    }
}

extension String {
    fileprivate var inQuery: String { percentEncoded(allowing: \.isUnreservedInURL) }
}
