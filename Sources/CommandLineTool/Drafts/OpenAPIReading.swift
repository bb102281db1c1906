import SquallFormat

/// Reads an OpenAPI 3 document for what a starting profile can use of it.
///
/// It takes calls, who may make them, and from the schemas how large answers are. What it cannot
/// know, such as which calls a screen makes, it guesses and says so in the profile's comments.
struct OpenAPIReading {
    /// The largest document that is read.
    static let sizeLimit = 32 << 20
    /// So many calls are taken.
    static let callsMax = 200

    let service: DraftService

    /// Reads a document.
    ///
    /// - Throws: `OpenAPIError` with the place and the way out.
    init(_ bytes: [UInt8], file: String) throws {
        guard bytes.count <= Self.sizeLimit else {
            throw OpenAPIError(file, nil, "", "is larger than 32 MiB")
        }
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(bytes)
        } catch {
            guard !Self.looksLikeYAML(bytes) else { throw OpenAPIError.yaml(file) }
            throw OpenAPIError(file, error.place, "", error.problem)
        }
        let document = OpenAPIFile(root: root, name: file)
        try document.checkVersion()
        let calls = try document.calls()
        guard !calls.isEmpty else {
            throw OpenAPIError(
                file, document.place(of: "paths"), "/paths", "has no call to make a profile of")
        }
        service = try OpenAPIDraft(document, calls).service
    }

    /// Whether a text is no JSON at all, but begins as documents in YAML do.
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

/// Why a document is of no use, with its place and the way out.
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

/// A call of a document, with what its surroundings say of it.
struct OpenAPICall {
    let method: String
    /// Its path as the document has it.
    let path: String
    let server: OpenAPIServer
    let operation: JSONNode
    let pointer: String
    /// The lists of parameters of the path and of the operation, each with its place.
    let parameterLists: [(JSONNode, pointer: String)]

    /// Its path at its server, as profiles allow it.
    var fullPath: String { OpenAPINames.path(server.basePath + path) }
    /// What it and another call have in common that no router can tell apart.
    var shape: String { "\(method) \(OpenAPINames.shape(fullPath))" }
}
