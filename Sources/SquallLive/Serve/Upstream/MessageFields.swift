import Foundation
import SquallFormat
import SquallHTTP
import SquallServices

/// The names and texts in a body, JSON or form, whatever their depth.
struct MessageFields {
    /// A name and its text, with the number that stands beside it as a life in seconds.
    struct Field {
        /// Its name in lower case, without marks: `accesstoken`; empty in an array.
        let name: String
        /// Its name as it is written, behind those of the objects that it stands in:
        /// `data.accessToken`; `nil` in an array.
        let path: String?
        let text: String
        /// The life in seconds that stands in the same object.
        var lifeSeconds: Int64?
        /// The name of the object or array that it stands in; in an object that says of which kind
        /// it is, that kind.
        var parent = ""
    }

    private(set) var all: [Field] = []
    /// The names, written as those of fields, of members that are `null`.
    private(set) var nulls: [String] = []

    private static let fieldsMax = 400
    private static let depthMax = 5
    private static let lives = TokenNames.lifetimes + ["expires"]

    /// The fields of a body; none where it is neither.
    init(_ body: [UInt8], contentType: String?) {
        guard let first = body.first(where: { $0 > 32 }) else { return }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard let node = try? JSONParser.parse(body) else { return }
            read(node, parent: "", behind: "", depth: 0)
        } else if let type = contentType?.asciiLowercased {
            let pairs =
                type.contains("urlencoded")
                ? FormFields.pairs(in: body)
                : type.hasPrefix("multipart/form-data") ? Self.parts(of: body) : []
            all = pairs.prefix(Self.fieldsMax).map {
                Field(name: Self.plain($0.name), path: $0.name, text: $0.value)
            }
        }
    }

    /// The fields of a form that is sent in parts, as a browser's `FormData` is (RFC 7578); files
    /// are none.
    private static func parts(of body: [UInt8]) -> [(name: String, value: String)] {
        let text = String(decoding: body, as: UTF8.self)
        guard let boundary = text.split(separator: "\r\n", maxSplits: 1).first else { return [] }
        return text.components(separatedBy: boundary).compactMap { part in
            let halves = part.components(separatedBy: "\r\n\r\n")
            guard halves.count > 1, !halves[0].contains("filename=") else { return nil }
            let name = halves[0].components(separatedBy: "; name=\"").dropFirst().first
            guard let name = name?.prefix(while: { $0 != "\"" }), !name.isEmpty else { return nil }
            let value = halves.dropFirst().joined(separator: "\r\n\r\n")
            return (String(name), value.hasSuffix("\r\n") ? String(value.dropLast()) : value)
        }
    }

    /// A name without its marks, in lower case.
    static func plain(_ name: String) -> String {
        String(
            decoding: name.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case 48...57, 97...122: byte
                case 65...90: byte | 32
                default: nil
                }
            }, as: UTF8.self)
    }

    subscript(name: String) -> String? { all.first { $0.name == name }?.text }

    private mutating func read(_ node: JSONNode, parent: String, behind: String?, depth: Int) {
        guard depth < Self.depthMax, all.count < Self.fieldsMax else { return }
        switch node.value {
        case .object(let members):
            let life = members.first { Self.lives.contains(Self.plain($0.name)) }
                .flatMap { Self.seconds($0.value) }
            let kind = members.lazy.compactMap(Self.kind).first
            for member in members {
                let name = Self.plain(member.name)
                let path = behind.map { $0 + member.name }
                if case .null = member.value.value {
                    nulls.append(name)
                } else if case .string(let text) = member.value.value {
                    all.append(
                        Field(
                            name: name, path: path, text: text, lifeSeconds: life,
                            parent: kind ?? parent))
                } else {
                    read(
                        member.value, parent: name, behind: path.map { $0 + "." },
                        depth: depth + 1)
                }
            }
        case .array(let elements):
            for element in elements.prefix(4) {
                if case .string(let text) = element.value {
                    all.append(Field(name: "", path: nil, text: text, parent: parent))
                } else {
                    read(element, parent: parent, behind: nil, depth: depth + 1)
                }
            }
        default: break
        }
    }

    /// The kind of token that a member says its object to be, as in
    /// `{"type": "access_token", "value": …}`.
    private static func kind(_ member: JSONNode.Member) -> String? {
        guard case .string(let text) = member.value.value else { return nil }
        return ["access", "refresh"].first { [$0, $0 + "token"].contains(plain(text)) }
    }

    private static func seconds(_ node: JSONNode) -> Int64? {
        switch node.value {
        case .number(let text), .string(let text):
            Double(text).flatMap { (1...31_536_000).contains($0) ? Int64($0) : nil }
        default: nil
        }
    }
}
