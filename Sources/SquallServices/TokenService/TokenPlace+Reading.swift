import SquallBackend
import SquallFormat
public import SquallHTTP

extension TokenPlace {
    /// The token that a request shows at this place.
    public func token(in request: URLRequest) -> String? {
        switch self {
        case .header(let name, let scheme):
            guard let value = request.value(forHTTPHeaderField: name) else { return nil }
            guard let scheme else { return value }
            let start = Substring(value.utf8.prefix(scheme.utf8.count))
            let rest = value.utf8[start.endIndex...]
            // RFC 9110 §11.1: the name of a scheme has no case.
            guard start == scheme || start.lowercased() == scheme.lowercased(),
                rest.first == UInt8(ascii: " ")
            else { return nil }
            return String(Substring(rest.drop { $0 == UInt8(ascii: " ") }))
        case .query(let name):
            return FormFields.value(of: name, in: Array((request.url.query ?? "").utf8))
        case .cookie(let name):
            return FormFields.cookie(name, in: request.value(forHTTPHeaderField: "Cookie") ?? "")
        case .body(let name): return TokenPlace.member(name, of: request)
        case .form(let name): return FormFields.value(of: name, in: request.body.bytes)
        case .path: return request.url.path.split(separator: "/").last.map(String.init)
        }
    }

    /// Whether a token here and a token there cannot both be shown.
    func coincides(with other: TokenPlace) -> Bool {
        switch (self, other) {
        case (.header(let own, _), .header(let name, _)): own.lowercased() == name.lowercased()
        default: self == other
        }
    }

    private static func member(_ name: String, of request: URLRequest) -> String? {
        guard !request.body.isEmpty else { return nil }
        let bytes = request.body.bytes
        guard bytes.first(where: { $0 > 32 }) == UInt8(ascii: "{") else {
            return FormFields.value(of: name, in: bytes)
        }
        guard let object = try? JSONParser.parse(bytes),
            case .string(let value) = object[name]?.value
        else { return nil }
        return value
    }
}

extension TokenTexts {
    /// The tokens in two members of a JSON object; `nil` where neither is a text.
    init?(members: (access: String, refresh: String), of body: Body) {
        guard let object = try? JSONParser.parse(body.bytes) else { return nil }
        func text(_ name: String) -> String? {
            guard case .string(let text) = object[name]?.value else { return nil }
            return text
        }
        self.init(access: text(members.access), refresh: text(members.refresh))
        if self == TokenTexts() { return nil }
    }
}
