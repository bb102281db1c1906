import SquallClient
import SquallHTTP

/// A declared service's answer to a request for data.
struct DeclaredAnswer: Decodable, Sendable {
    /// The objects; an app only counts them.
    let data: [Row]
    /// The cursor of a list's next page; `nil` behind the last.
    let next: String?

    struct Row: Decodable, Sendable {}
}

/// Reads any JSON of a success, and a success that rightly has no body.
///
/// Only of a list's pages an app wants to know more; a real API's objects have names of their own.
let anyModel = ResponseSerializer<DeclaredAnswer>.decodable().recovering { head, error in
    guard (200...299).contains(head.statusCode),
        case .responseSerializationFailed(let reason) = error
    else { return nil }
    switch reason {
    case .decodingFailed(DecodingError.dataCorrupted): return nil
    case .decodingFailed(is DecodingError), .invalidEmptyResponse:
        return DeclaredAnswer(data: [], next: nil)
    default: return nil
    }
}

/// A declared service's answer with new tokens; the profile chooses the names of its members.
struct DeclaredTokenAnswer: Decodable, Sendable {
    private var texts: [String: String] = [:]
    private var numbers: [String: Int64] = [:]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        for name in members.allKeys {
            if let text = try? members.decode(String.self, forKey: name) {
                texts[name.stringValue] = text
            } else if let number = try? members.decode(Int64.self, forKey: name) {
                numbers[name.stringValue] = number
            }
        }
    }

    /// The member of a name, where it is a text.
    func text(_ name: String) -> String? { texts[name] }

    /// The member of a name, where it is a whole number.
    func number(_ name: String) -> Int64? { numbers[name] }
}

extension TokenForm {
    /// Whether an answer tells new tokens in its body.
    var tellsInBody: Bool {
        if case .json = delivery { true } else { false }
    }

    /// The tokens that cookies bring; `nil` without an access token.
    func cookies(in head: HTTPURLResponse?) -> (access: String, refresh: String?)? {
        guard case .cookies(let access, let refresh) = delivery,
            let text = head?.headers.value(for: "Set-Cookie")
        else { return nil }
        func value(_ name: String) -> String? {
            let cookies = text.split(separator: ",").map { $0.drop { $0 == " " } }
            return cookies.first { $0.hasPrefix(name + "=") }.map {
                String($0.dropFirst(name.count + 1).prefix { $0 != ";" })
            }
        }
        return value(access).map { ($0, value(refresh)) }
    }
}
