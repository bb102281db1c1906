import SquallBackend
public import SquallFormat
import SquallHTTP

/// The backend's contract as an OpenAPI 3.1 document, for tools and for people.
public enum OpenAPIDocument {
    /// The names of the protocols that have a document.
    public static let years = ContractYear.allCases.map(\.rawValue)

    /// The document of a protocol; `nil` when there is none of this name.
    public static func json(for name: String) -> JSON? {
        ContractYear(rawValue: name).map { Writer(year: $0).document }
    }
}

/// Writes one year's rows.
private struct Writer {
    let year: ContractYear

    private var operations: [Operation] {
        Operation.all.filter { $0.year == year }
    }

    var document: JSON {
        [
            "openapi": "3.1.0",
            "info": [
                "title": .string("Squall's fake backend, protocol of \(year.rawValue)"),
                "version": .string(year.rawValue),
                "description": .string(
                    "Responds to any other address with status \(Refusal.unknownRoute.status) and"
                        + " the message \"\(Refusal.unknownRoute.message)\", and a request without"
                        + " a known key with \(Refusal.wrongKey.status) before it looks at anything"
                        + " else. A success always has status 200."),
            ],
            "paths": .object(paths),
            "components": ["schemas": .object(schemas), "securitySchemes": security],
        ]
    }

    private var paths: [String: JSON] {
        var paths: [String: [String: JSON]] = [:]
        for operation in operations {
            paths[operation.path, default: [:]][operation.method.rawValue.lowercased()] =
                json(operation)
        }
        return paths.mapValues(JSON.object)
    }

    private var schemas: [String: JSON] {
        let pairs = Schema.all(of: year).map { ($0.name, object($0.members)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func json(_ operation: Operation) -> JSON {
        var members: [String: JSON] = [
            "operationId": .string(operation.name.rawValue),
            "summary": .string(operation.summary),
            "parameters": .array(parameters(operation)),
            "responses": .object(responses(operation)),
            "security": .array([requirement(operation.access)]),
        ]
        members["requestBody"] = requestBody(operation.input)
        return .object(members)
    }

    private func parameters(_ operation: Operation) -> [JSON] {
        let names = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
        let variables = names.map { parameter(String($0.dropFirst().dropLast()), in: "path") }
        return variables
            + operation.query.map {
                parameter($0.name, in: "query", isRequired: $0.isRequired)
            }
    }

    private func parameter(
        _ name: String, in place: String, isRequired: Bool = true
    ) -> JSON {
        [
            "name": .string(name), "in": .string(place), "required": .bool(isRequired),
            "schema": type(.text),
        ]
    }

    private func requestBody(_ input: Operation.Input) -> JSON? {
        switch input {
        case .none: nil
        case .json(let members): body(members, "application/json")
        case .form(let members): body(members, "multipart/form-data")
        }
    }

    private func body(_ members: [Member], _ mediaType: String) -> JSON {
        ["required": .bool(true), "content": .object([mediaType: ["schema": object(members)]])]
    }

    private func responses(_ operation: Operation) -> [String: JSON] {
        var responses = ["200": success(operation.output)]
        for (status, refusals) in Dictionary(grouping: operation.refusals, by: \.status) {
            responses["\(status)"] = refused(refusals.map(\.message))
        }
        return responses
    }

    private func success(_ output: Operation.Output) -> JSON {
        switch output {
        case .empty: ["description": "Done; the body is empty."]
        case .json(let name):
            [
                "description": "Done.",
                "content": ["application/json": ["schema": reference(name)]],
            ]
        case .bytes:
            ["description": "The file.", "content": ["application/octet-stream": .object([:])]]
        }
    }

    /// A refusal with one of some messages in its body.
    private func refused(_ messages: [String]) -> JSON {
        let message: JSON = [
            "type": "string", "enum": .array(messages.map(JSON.string)),
        ]
        let schema: JSON = [
            "type": "object", "required": ["message"], "properties": ["message": message],
        ]
        return [
            "description": .string(messages.joined(separator: " / ")),
            "content": ["application/json": ["schema": schema]],
        ]
    }

    private func requirement(_ access: Operation.Access) -> JSON {
        switch access {
        case .open: ["SesacKey": []]
        case .accessToken: ["SesacKey": [], "Authorization": []]
        case .refreshToken: ["SesacKey": [], "Authorization": [], "Refresh": []]
        }
    }

    private var security: JSON {
        func header(_ name: String, _ description: String) -> JSON {
            [
                "type": "apiKey", "in": "header", "name": .string(name),
                "description": .string(description),
            ]
        }
        return [
            "SesacKey": header("SesacKey", "The project's key, on every request."),
            "Authorization": header("Authorization", "The bare access token, without a scheme."),
            "Refresh": header("Refresh", "The bare refresh token."),
        ]
    }

    private func object(_ members: [Member]) -> JSON {
        let properties = members.map { ($0.name, type($0.type)) }
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        var object: [String: JSON] = [
            "type": "object",
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
        ]
        if !required.isEmpty { object["required"] = .array(required) }
        return .object(object)
    }

    private func type(_ type: Member.ValueType) -> JSON {
        switch type {
        case .text: ["type": "string"]
        case .integer: ["type": "integer"]
        case .flag: ["type": "boolean"]
        case .file: ["type": "string", "format": "binary"]
        case .list(let element): ["type": "array", "items": self.type(element)]
        case .object(let name): reference(name)
        }
    }

    private func reference(_ name: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}

/// An object of the contract's answers.
public struct Schema: Sendable {
    /// The name by which other objects refer to it.
    public let name: String
    /// Its members in the order in which they are written; one that is not required is left out
    /// when it has no value.
    public let members: [Member]

    /// Every object that answers of a year hold, in the order of their names.
    public static func all(of year: ContractYear) -> [Schema] {
        let schemas = year == .year2023 ? year2023 : year2024
        return schemas.sorted { $0.name < $1.name }
    }

    private init(_ name: String, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    private static let year2024 =
        shared(.year2024) + [
            Schema("Join", account("user_id")), Schema("Withdraw", account("user_id")),
            Schema(
                "Login",
                account("user_id") + [
                    Member("profileImage", isRequired: false), Member("accessToken"),
                    Member("refreshToken"),
                ]),
            Schema(
                "Refresh", [Member("accessToken"), Member("refreshToken", isRequired: false)]),
            Schema("Files", [Member("files", .list(.text))]),
            Schema(
                "Follow",
                [Member("nick"), Member("opponent_nick"), Member("following_status", .flag)]),
            Schema(
                "Payment",
                [
                    Member("buyer_id"), Member("post_id"), Member("merchant_uid"),
                    Member("productName"), Member("price", .integer), Member("paidAt"),
                ]),
            Schema("PaymentList", [Member("data", .list(.object("Payment")))]),
        ]

    private static let year2023 =
        shared(.year2023) + [
            Schema("Join", account("_id")), Schema("Withdraw", account("_id")),
            Schema("Login", [Member("_id"), Member("token"), Member("refreshToken")]),
            Schema("Refresh", [Member("token"), Member("refreshToken", isRequired: false)]),
            Schema("DeletedPost", [Member("_id")]), Schema("DeletedComment", [Member("postID")]),
            Schema(
                "Follow", [Member("user"), Member("following"), Member("following_status", .flag)]),
        ]

    private static func account(_ id: String) -> [Member] {
        [Member(id), Member("email"), Member("nick")]
    }

    /// The objects that both years have, with the member names of one year.
    private static func shared(_ year: ContractYear) -> [Schema] {
        let keys = year.keys
        let creator = [
            Member("\(keys.userID)"), Member("nick"),
            Member("\(keys.profileImage)", isRequired: false),
        ]
        let comment = [
            Member("\(keys.commentID)"), Member("content"), Member("\(keys.createdAt)"),
            Member("creator", .object("Creator")),
        ]
        let page = [Member("data", .list(.object("Post"))), Member("next_cursor")]
        return [
            Schema("Message", [Member("message")]), Schema("Creator", creator),
            Schema("Comment", comment), Schema("Post", post(year)),
            Schema("PostPage", page), Schema("Like", [Member("like_status", .flag)]),
            Schema("MyProfile", profile(keys, isOwn: true)),
            Schema("OtherProfile", profile(keys, isOwn: false)),
        ]
    }

    private static func post(_ year: ContractYear) -> [Member] {
        let keys = year.keys
        let is2024 = year == .year2024
        let texts = Member.texts.filter { $0.name != "product_id" }
        return [Member("\(keys.postID)"), Member("product_id")] + texts
            + (is2024 ? [Member("price", .integer, isRequired: false)] : [])
            + [
                Member("\(keys.createdAt)"), Member("creator", .object("Creator")),
                Member("\(keys.files)", .list(.text)), Member("likes", .list(.text)),
                Member("hashTags", .list(.text)), Member("comments", .list(.object("Comment"))),
            ]
            + (is2024
                ? [Member("likes2", .list(.text)), Member("buyers", .list(.text))] : [])
    }

    private static func profile(_ keys: AnswerKeys, isOwn: Bool) -> [Member] {
        let own = [
            Member("email"), Member("phoneNum", isRequired: false),
            Member("birthDay", isRequired: false),
        ]
        return [Member("\(keys.userID)"), Member("nick")] + (isOwn ? own : [])
            + [
                Member("\(keys.profileImage)", isRequired: false),
                Member("followers", .list(.object("Creator"))),
                Member("following", .list(.object("Creator"))), Member("posts", .list(.text)),
            ]
    }
}
