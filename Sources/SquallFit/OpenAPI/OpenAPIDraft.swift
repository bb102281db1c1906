import SquallFormat
import SquallHTTP

/// Reads the parts of an OpenAPI 3 document that a profile to begin with can use.
///
/// It takes the calls, the tokens that they need, and from the schemas the size of responses. The
/// document does not tell, for example, which calls a screen makes: such things are guessed and
/// noted in comments.
extension ProfileDraft {
    /// The largest document that is read, in bytes.
    public static let openAPIBytesMax = 32 << 20

    /// A draft with the document's calls, responses and tokens; what it leaves open is guessed.
    ///
    /// The calls about tokens may be given by name (`logIn`, `refresh`, `logOut`), as `POST /x`.
    ///
    /// - Throws: `OpenAPIError` with the place and the way out.
    public init(
        openAPI bytes: [UInt8], file: String, tokenCalls: [String: String] = [:]
    ) throws {
        let document = try OpenAPIFile(reading: bytes, file: file)
        let calls = try document.calls()
        guard !calls.isEmpty else {
            throw document.lacks.first
                ?? document.error(
                    document.root["paths"], "/paths", "has no call to make a profile of")
        }
        self = try OpenAPIDraft(document, calls, tokenCalls).draft
    }
}

extension OpenAPIFile {
    /// Reads a document, in JSON or YAML.
    ///
    /// - Throws: `OpenAPIError` with the place and the way out.
    convenience init(reading bytes: [UInt8], file: String) throws {
        guard bytes.count <= ProfileDraft.openAPIBytesMax else {
            throw OpenAPIError(file, nil, "", "is larger than 32 MiB")
        }
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONNode.reading(bytes)
        } catch {
            guard !bytes.prefix(4).contains(0) else {
                throw OpenAPIError(file, nil, "", "is UTF-16 or UTF-32; save it as UTF-8")
            }
            throw OpenAPIError(file, error.place, "", error.problem)
        }
        self.init(root: OpenAPIUpgrade.upgraded(root), name: file)
        try checkVersion()
    }
}

/// Makes the app and the service of a draft from a document's calls.
private struct OpenAPIDraft {
    /// The most calls that are taken.
    private static let callsMax = 2_000

    private let file: OpenAPIFile
    private let calls: [OpenAPICall]
    private let responses: OpenAPIResponses
    private let security: OpenAPISecurity
    private let given: [OpenAPITokenCalls.Kind: String]

    init(_ file: OpenAPIFile, _ calls: [OpenAPICall], _ given: [String: String]) {
        let known = given.compactMap { name, call in
            OpenAPITokenCalls.Kind(rawValue: name).map { ($0, call) }
        }
        self.given = Dictionary(known) { first, _ in first }
        self.file = file
        self.calls = calls
        security = OpenAPISecurity(file, calls)
        responses = OpenAPIResponses(
            file: file, samples: OpenAPISamples(file: file), calls: calls,
            tokenName: security.tokenName)
    }

    var draft: ProfileDraft {
        get throws {
            let server = file.server
            let tokenCalls = try OpenAPITokenCalls(calls, security, responses, given: given)
            var (endpoints, isCut) = try endpoints(beside: tokenCalls)
            pick(in: &endpoints)
            guard !endpoints.isEmpty else {
                throw file.error(
                    file.root["paths"], "/paths", "has no call beside those that sign in")
            }
            let title = file.root["info"]?.text("title") ?? "An API"
            let form: [ProfileValue.Member] = [("form", "\(security.form)")]
            let (screens, journeys) = OpenAPIScreens(endpoints).all
            return ProfileDraft(
                headline: "\(title.excerpt()), from \(file.name), and an app in front of it.",
                api: DeclaredAPI(
                    origin: server.origin,
                    settings: form + security.settings + tokenCalls.settings,
                    endpoints: endpoints, objects: responses.samples.objects, screens: screens,
                    journeys: journeys),
                remarks: remarks(isCut, tokenCalls, server, endpoints),
                hasRefresh: tokenCalls.hasRefresh, lives: tokenCalls.lives)
        }
    }

    private func remarks(
        _ isCut: Bool, _ tokenCalls: OpenAPITokenCalls, _ server: OpenAPIServer,
        _ endpoints: [DeclaredAPI.Endpoint]
    ) -> [String] {
        let lives =
            switch (tokenCalls.hasRefresh, tokenCalls.lives.access, tokenCalls.lives.refresh) {
            case (false, _, _), (true, _?, _?): ""
            case (true, _?, nil): ", the life of a refresh token"
            case (true, nil, _): ", lives of tokens"
            }
        var remarks = [
            "Responses are the document's examples, or values that its schemas allow. Which calls a"
                + " screen makes is a guess: put yours there.",
            "No document tells these, so they are assumed: users and their pauses, workers,"
                + " service times, network delays\(lives)."
                + " Put in yours, or take them from an access log with squall fit.",
        ]
        let unsized = endpoints.filter(\.isSizeAssumed).map(\.name)
        if !unsized.isEmpty {
            remarks.append(
                "How many objects a page of \(unsized.listed(atMost: 3)) has"
                    + " by default is not said; 20 are assumed, and 1,000 in all.")
        }
        if isOpen(beside: tokenCalls) {
            remarks.append(
                "Calls take a token and are served without one, too; here they need it, since an"
                    + " app that is signed in shows its token everywhere.")
        }
        if isCut { remarks.append("The first \(Self.callsMax) calls were taken.") }
        remarks += security.remarks + tokenCalls.remarks
        let others = Set(calls.map(\.server.origin)).subtracting([server.origin]).sorted()
        if !others.isEmpty {
            let count = calls.count { $0.server.origin != server.origin }
            remarks.append(
                "\(count) \(count == 1 ? "call goes" : "calls go") to another host"
                    + " (\(others.prefix(4).joined(separator: ", "))); a profile simulates one"
                    + " backend.")
        }
        if let lack = file.lacks.first {
            let others = file.lacks.count - 1
            let more =
                others == 0 ? "" : ", and \(others) more \(others == 1 ? "does" : "do") so"
            remarks.append(
                "A reference leads nowhere\(more); what it stands for is left open: \(lack).")
        }
        if server.isGuessed {
            remarks.append("The document names no server; \(server.origin) stands for one.")
        }
        return remarks
    }

    private func endpoints(
        beside tokenCalls: OpenAPITokenCalls
    ) throws -> ([DeclaredAPI.Endpoint], isCut: Bool) {
        var names: Set = ["logIn", "refresh", "logOut"]
        var shapes = Set(tokenCalls.shapes)
        var endpoints: [DeclaredAPI.Endpoint] = []
        let isOpen = isOpen(beside: tokenCalls)
        for call in calls where shapes.insert(call.shape).inserted {
            guard endpoints.count < Self.callsMax else { return (endpoints, true) }
            endpoints.append(try endpoint(call, isOpen: isOpen, &names))
        }
        return (endpoints, false)
    }

    /// Lets calls that name an object in their path take it from the list that has it.
    ///
    /// A list within an object is left: which object's it was is not known when it is picked from.
    private func pick(in endpoints: inout [DeclaredAPI.Endpoint]) {
        let own = endpoints.filter {
            $0.method == "GET" && !$0.rowMembers.isEmpty && !$0.path.contains("{")
        }
        let lists = Dictionary(own.map { (OpenAPICall.shape($0.path), $0) }) { first, _ in first }
        for index in endpoints.indices {
            let parts = endpoints[index].path.split(separator: "/")
            endpoints[index].picks = parts.indices.compactMap { position in
                let part = parts[position]
                guard part.first == "{", part.last == "}" else { return nil }
                let variable = String(part.dropFirst().dropLast())
                let path = parts[..<position].joined(separator: "/")
                guard let list = lists[OpenAPICall.shape(path)],
                    let member = Self.member(of: list.rowMembers, for: variable)
                else { return nil }
                return [
                    "variable": "\(variable)", "list": "\(list.name)",
                    "member": "\(member.joined(separator: "."))",
                ]
            }
        }
    }

    /// The member of a list's objects that a variable behind the list's path stands for: of its
    /// name, or of its name's end, as `id` for `plant_id`.
    private static func member(of names: [[String]], for variable: String) -> [String]? {
        let variable = TokenNames.word(variable)
        func first(_ word: String?) -> [String]? {
            names.first { $0.last.map { TokenNames.word($0) } == word }
        }
        let keys = ["uuid", "id", "slug", "key", "code", "number", "name"]
        return first(variable)
            ?? first(variable == "pk" ? "id" : keys.first { variable.hasSuffix($0) })
    }

    /// True for an API with a refresh of which no call needs a token though some take one, as
    /// Django REST framework's usual settings have it.
    private func isOpen(beside tokenCalls: OpenAPITokenCalls) -> Bool {
        let own = calls.filter { !tokenCalls.shapes.contains($0.shape) }
        return tokenCalls.hasRefresh && own.contains { security.isTaken(by: $0) }
            && !own.contains { security.isNeeded(for: $0) }
    }

    private func endpoint(
        _ call: OpenAPICall, isOpen: Bool, _ names: inout Set<String>
    ) throws -> DeclaredAPI.Endpoint {
        var endpoint = DeclaredAPI.Endpoint(
            name: names.insert(numbering: call.name), method: call.method, path: call.fullPath,
            needsToken: security.isNeeded(for: call)
                || isOpen && security.isTaken(by: call))
        try responses.fill(&endpoint, from: call)
        return endpoint
    }
}
