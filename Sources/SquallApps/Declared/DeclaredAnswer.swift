import SquallClient
import SquallHTTP

/// The response of a service to a request for data: any JSON.
///
/// Only of a list's pages an app wants to know more; a real API's objects have names of their own.
struct DeclaredAnswer: Decodable, Sendable {
    /// The objects; an app only counts them.
    let data: [Row]
    /// The cursor of a list's next page; `nil` behind the last.
    let next: String?
    /// True if it is what a declared service answers, and no other JSON.
    let isDeclared: Bool

    struct Row: Decodable, Sendable {}

    private enum CodingKeys: CodingKey { case data, next }

    /// What a service answers that has no pages.
    static func other(isDeclared: Bool) -> DeclaredAnswer {
        DeclaredAnswer(data: [], next: nil, isDeclared: isDeclared)
    }
}

extension DeclaredAnswer {
    /// Reads whatever there is: an error of a decoder costs more than a value.
    init(from decoder: any Decoder) {
        do {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            if let data = try members.decodeIfPresent([Row].self, forKey: .data) {
                let next = try members.decodeIfPresent(String.self, forKey: .next)
                self.init(data: data, next: next, isDeclared: true)
                return
            }
        } catch {}
        self = .other(isDeclared: false)
    }
}

/// Reads a page of a list.
let pageModel = ResponseSerializer<DeclaredAnswer>.decodable().revising { _, result in
    if case .success(let answer) = result, !answer.isDeclared { otherJSON } else { result }
}

/// Reads any JSON of a success, and a success that rightly has no body.
let anyModel = ResponseSerializer<DeclaredAnswer>.decodable().revising { head, result in
    let isSuccess = (200...299).contains(head.statusCode)
    return switch result {
    case .success(let answer) where !answer.isDeclared && !isSuccess: otherJSON
    case .failure(.responseSerializationFailed(.invalidEmptyResponse)) where isSuccess:
        .success(.other(isDeclared: true))
    default: result
    }
}

private let otherJSON = Result<DeclaredAnswer, AFError>.failure(
    .responseSerializationFailed(reason: .decodingFailed(error: OtherJSON())))

/// The response is JSON that the app has no type for.
private struct OtherJSON: Error {}

/// The response of a declared service with new tokens; the profile chooses the names of its
/// members.
struct DeclaredTokenAnswer: Decodable, Sendable {
    private var texts: [String: String] = [:]
    private var numbers: [String: Int64] = [:]
    private static let depthMax = 4

    init(from decoder: any Decoder) throws {
        take(try decoder.container(keyedBy: MemberName.self), behind: "", depth: 0)
    }

    /// Takes the members of an object, those in objects in it by all names on the way with dots.
    private mutating func take(
        _ members: KeyedDecodingContainer<MemberName>, behind path: String, depth: Int
    ) {
        for key in members.allKeys {
            let name = path + key.stringValue
            if let text = try? members.decode(String.self, forKey: key) {
                texts[name] = text
            } else if let number = try? members.decode(Int64.self, forKey: key) {
                numbers[name] = number
            } else if depth < Self.depthMax,
                let inner = try? members.nestedContainer(keyedBy: MemberName.self, forKey: key)
            {
                take(inner, behind: name + ".", depth: depth + 1)
            }
        }
    }

    /// The member of a name, where it is a text; dots lead into objects.
    func text(_ name: String) -> String? { texts[name] }

    /// The member of a name, where it is a whole number, or one written as a text.
    func number(_ name: String) -> Int64? { numbers[name] ?? texts[name].flatMap { Int64($0) } }
}

/// A member of an object in JSON, whatever it is called.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension HTTPURLResponse {
    /// The value of a cookie that a response sets; `nil` where it sets or keeps none.
    func cookie(_ name: String) -> String? {
        let fields = headers.value(for: "Set-Cookie") ?? ""
        let cookies = fields.split(separator: ",").map { $0.drop { $0 == " " } }
        let value = cookies.first { $0.hasPrefix(name + "=") }.map {
            String($0.dropFirst(name.count + 1).prefix { $0 != ";" })
        }
        return value?.isEmpty == true || value == "\"\"" ? nil : value
    }
}
