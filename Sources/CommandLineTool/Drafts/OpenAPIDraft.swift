import SquallFormat
import SquallHTTP

/// Makes the service and screens of a starting profile from a document's calls.
struct OpenAPIDraft {
    private let file: OpenAPIFile
    private let calls: [OpenAPICall]
    private let sizes: OpenAPISizes
    private let security: OpenAPISecurity

    init(_ file: OpenAPIFile, _ calls: [OpenAPICall]) {
        self.file = file
        self.calls = calls
        sizes = OpenAPISizes(file: file)
        security = OpenAPISecurity(file)
    }

    var service: DraftService {
        get throws {
            let server = file.server
            let tokenCalls = OpenAPITokenCalls(calls, security)
            let (endpoints, isCut) = try endpoints(beside: tokenCalls)
            guard !endpoints.isEmpty else {
                throw file.error(
                    file.root["paths"], "/paths", "has no call beside those that sign in")
            }
            let title = file.root["info"]?.text("title") ?? "An API"
            var draft = DraftService(
                headline: "\(title.excerpt()), from \(file.name), and an app in front of it.",
                origin: server.origin, form: security.form,
                settings: security.settings + tokenCalls.settings, endpoints: endpoints,
                screens: [], journeys: [])
            draft.remarks = remarks(isCut, tokenCalls, server)
            (draft.screens, draft.journeys) = OpenAPIScreens(endpoints).all
            return draft
        }
    }

    private func remarks(
        _ isCut: Bool, _ tokenCalls: OpenAPITokenCalls, _ server: OpenAPIServer
    ) -> [String] {
        var remarks = [
            "Sizes come from the schemas; which calls a screen makes was guessed: put yours there."
        ]
        if isCut { remarks.append("The first \(OpenAPIReading.callsMax) calls were taken.") }
        remarks += security.remarks + tokenCalls.remarks
        let others = Set(calls.map(\.server.origin)).subtracting([server.origin]).sorted()
        if !others.isEmpty {
            let count = calls.count { $0.server.origin != server.origin }
            remarks.append(
                "\(count) \(count == 1 ? "call goes" : "calls go") to another host"
                    + " (\(others.prefix(4).joined(separator: ", "))); one backend answers here.")
        }
        if server.isGuessed {
            remarks.append("The document names no server; the origin stands for one.")
        }
        return remarks
    }

    private func endpoints(
        beside tokenCalls: OpenAPITokenCalls
    ) throws -> ([DraftService.Endpoint], isCut: Bool) {
        var names = OpenAPINames(taken: ["logIn", "refresh", "logOut"])
        var shapes = Set(tokenCalls.shapes)
        var endpoints: [DraftService.Endpoint] = []
        for call in calls where shapes.insert(call.shape).inserted {
            guard endpoints.count < OpenAPIReading.callsMax else { return (endpoints, true) }
            endpoints.append(try endpoint(call, &names))
        }
        return (endpoints, false)
    }

    private func endpoint(
        _ call: OpenAPICall, _ names: inout OpenAPINames
    ) throws -> DraftService.Endpoint {
        var endpoint = DraftService.Endpoint(
            name: names.name(of: call), method: call.method, path: call.fullPath,
            needsToken: security.isNeeded(for: call.operation))
        if let (schema, pointer) = try sizes.answer(of: call) {
            let items = try sizes.listItems(of: schema, pointer)
            endpoint.bytes = try sizes.bytes(of: items ?? schema, pointer)
            if items != nil { (endpoint.rows, endpoint.paging) = (20, try paging(of: call)) }
        } else {
            endpoint.bytes = 11
        }
        endpoint.bytes = min(max(endpoint.bytes, 11), 1_000_000)
        if let (schema, pointer) = try sizes.request(of: call) {
            endpoint.requestBytes = min(try sizes.bytes(of: schema, pointer), 10_000_000)
        }
        return endpoint
    }

    /// How a list is paged, by the names of the call's parameters.
    private func paging(of call: OpenAPICall) throws -> String? {
        let asked = try file.parameters(of: call).filter { $0.text("in") == "query" }
            .compactMap { $0.text("name")?.lowercased() }
        let offsets = [
            "offset", "page", "skip", "start", "startindex", "page_number", "pagenumber",
        ]
        if asked.contains(where: offsets.contains) { return "offset" }
        let cursors = ["cursor", "after", "before", "next", "token", "since", "marker"]
        return asked.contains { name in cursors.contains { name.contains($0) } } ? "cursor" : nil
    }
}

/// Makes names and paths that profiles allow.
struct OpenAPINames {
    var taken: Set<String>

    /// A unique name for a call: its operation's name, or one made of its verb and path.
    mutating func name(of call: OpenAPICall) -> String {
        let told = call.operation.text("operationId") ?? "\(call.method.lowercased())\(call.path)"
        let words = told.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        let whole = words.joined(separator: "-")
        let base = String((whole.isEmpty ? "call" : whole).prefix(34))
        var (name, number) = (base, 2)
        while !taken.insert(name).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }

    /// A path in which a variable is always a whole segment.
    static func path(_ text: String) -> String {
        // A fragment (#…) only distinguishes calls of one path, and is never sent to a server.
        let parts = text.prefix { $0 != "#" }.split(separator: "/").map { part -> String in
            guard let open = part.firstIndex(of: "{") else {
                return String(part.filter { !" ?".contains($0) })
            }
            let name = part[part.index(after: open)...].prefix { $0 != "}" }
            return "{\(name.isEmpty ? "id" : String(name.filter { !" {".contains($0) }))}"
        }
        return String(("/" + parts.joined(separator: "/")).prefix(200))
    }

    /// The form of a path in which paths that no router can tell apart are equal.
    static func shape(_ path: String) -> String {
        path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }
            .joined(separator: "/")
    }
}
