import SquallFormat

/// Reads the parts of an OpenAPI 3 document that a starting profile can use.
///
/// It takes the calls, whether they need a token, and from the schemas how large answers are. What
/// a document does not say, such as which calls a screen makes, is guessed and noted in comments.
enum OpenAPIReading {
    /// The largest document that is read, in bytes.
    static let sizeLimit = 32 << 20
    /// The most calls that are taken.
    static let callsMax = 200

    /// What a document describes.
    ///
    /// - Throws: `OpenAPIError` with the place and the way out.
    static func service(in bytes: [UInt8], file: String) throws -> DraftService {
        guard bytes.count <= sizeLimit else {
            throw OpenAPIError(file, nil, "", "is larger than 32 MiB")
        }
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(bytes)
        } catch {
            guard !looksLikeYAML(bytes) else { throw OpenAPIError.yaml(file) }
            throw OpenAPIError(file, error.place, "", error.problem)
        }
        let document = OpenAPIFile(root: root, name: file)
        try document.checkVersion()
        let calls = try document.calls()
        guard !calls.isEmpty else {
            throw OpenAPIError(
                file, document.place(of: "paths"), "/paths", "has no call to make a profile of")
        }
        return try OpenAPIDraft(document, calls).service
    }

    /// Whether a text is no JSON but begins like YAML.
    private static func looksLikeYAML(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).drop { line in
            line.hasPrefix("#") || line.hasPrefix("---") || line.allSatisfy(\.isWhitespace)
        }
        guard let first = lines.first, !first.hasPrefix("{"), !first.hasPrefix("[") else {
            return false
        }
        return first.prefix { $0 != ":" }.count < first.count
    }
}

/// Why a document cannot be used, with the place and the way out.
struct OpenAPIError: Error, CustomStringConvertible {
    let description: String

    init(_ file: String, _ place: TextPlace?, _ pointer: String, _ problem: String) {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        let subject = pointer.isEmpty ? "" : "\(pointer) "
        description = "\(file)\(position): \(subject)\(problem)"
    }

    static func yaml(_ file: String) -> OpenAPIError {
        OpenAPIError(
            file, nil, "",
            "is YAML, and JSON is read; turn it into JSON first, as with: yq -o=json '.' \(file)"
                + " > api.json (Debian's yq: yq . \(file) > api.json), or: ruby -ryaml -rjson"
                + " -e 'puts YAML.load_file(ARGV[0]).to_json' \(file) > api.json")
    }
}

/// A call of a document with the settings around it.
struct OpenAPICall {
    let method: String
    /// Its path in the document.
    let path: String
    let server: OpenAPIServer
    let operation: JSONNode
    let pointer: String
    /// The parameter lists of the path and of the operation, each with its pointer.
    let parameterLists: [(JSONNode, pointer: String)]

    /// Its path on the server, in a form that profiles allow.
    var fullPath: String { OpenAPINames.path(server.basePath + path) }
    /// Its verb and path in a form where calls that no router can tell apart are equal.
    var shape: String { "\(method) \(OpenAPINames.shape(fullPath))" }
}
