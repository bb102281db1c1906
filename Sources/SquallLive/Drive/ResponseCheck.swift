import SquallBackend
import SquallFormat
public import SquallHTTP
import SquallReport

/// Finds responses of the server that the profile does not describe, and the setting that would.
///
/// It decides nothing: what a response means, and what the app makes of it, the profile says.
struct ResponseCheck {
    private let expected: ExpectedResponses
    private var found: [(kind: Kind, name: String, responses: UnexpectedResponse)] = []
    /// The endpoints with a body that was read whole and is as expected.
    private var known: Set<Int32> = []

    private typealias Kind = UnexpectedResponse.Kind

    /// The statuses that refuse an access token, in HTTP and beside it.
    private static let refusals = [401, 403, 419, 440, 498]
    private static let kindsMax = 20

    init(_ expected: ExpectedResponses) { self.expected = expected }

    /// The unexpected responses, the first first.
    var responses: [UnexpectedResponse] { found.map(\.responses) }

    mutating func note(_ request: RemoteRequest, _ response: WireResponse) {
        if let place = response.redirect {
            return checkRedirect(response, to: place, request.endpoint)
        }
        switch (request.endpoint.role, response.status) {
        case (.ordinary, 200...299): checkBody(of: response, request.endpoint)
        case (.ordinary, _): checkRefusal(response, request.endpoint)
        case (_, 200...299): checkTokens(in: response, request.endpoint)
        case (.refresh, 400...499): checkRefusedRefresh(response, request.endpoint)
        case (.signIn, 400...499): noteRefusedSignIn(response, request)
        default: break
        }
    }

    /// Counts a response, with those of the same kind and name.
    private mutating func note(
        _ kind: Kind, _ name: String, _ endpoint: Endpoint, _ response: @autoclosure () -> String,
        _ expected: @autoclosure () -> String, _ advice: @autoclosure () -> String
    ) {
        if let place = found.firstIndex(where: { $0.kind == kind && $0.name == name }) {
            found[place].responses.add(endpoint: endpoint.name)
        } else if found.count < Self.kindsMax {
            let responses = UnexpectedResponse(
                kind, endpoint: endpoint.name, response: response(), expected: expected(),
                advice: advice())
            found.append((kind, name, responses))
        }
    }
}

extension ResponseCheck {
    private mutating func checkRedirect(
        _ response: WireResponse, to place: String, _ endpoint: Endpoint
    ) {
        let expected = expected
        note(
            .redirect, "\(response.status)", endpoint, "\(response.status) to \(place)",
            "a response of the call itself",
            "It is followed, as URLSession does. If the call has moved, give its new path. If a"
                + " page to sign in is there, the server took the call for a browser's: is the"
                + " target the API's address, and does it look for tokens where"
                + " \(expected.place)token says?")
    }

    private mutating func checkRefusal(_ response: WireResponse, _ endpoint: Endpoint) {
        let expected = expected
        guard let form = expected.form,
            Self.refusals.contains(response.status) || response.status == form.expired.status,
            ![form.expired, form.signedOut, form.unauthorized, form.refusal(.missing)]
                .contains(where: response.is)
        else { return }
        note(
            .refusal, "\(response.status)", endpoint, response.refusal, form.expired.words,
            "They count as failed requests, also where the app refreshes for them. If they mean"
                + " that the access token has expired: "
                + expected.statusAlone(of: "expired", form.expired, response.status))
    }

    private mutating func checkRefusedRefresh(_ response: WireResponse, _ endpoint: Endpoint) {
        let expected = expected
        guard let form = expected.form, response.status != 429, !response.is(form.early),
            !form.endings.contains(where: response.is)
        else { return }
        note(
            .refusedRefresh, "\(response.status)", endpoint, response.refusal, form.signedOut.words,
            "If they mean that the refresh token is no longer valid: "
                + expected.statusAlone(of: "signedOut", form.signedOut, response.status))
    }

    private mutating func noteRefusedSignIn(_ response: WireResponse, _ request: RemoteRequest) {
        let (expected, url) = (expected, request.request.url)
        note(
            .refusedSignIn, "\(response.status)", request.endpoint, response.refusal, "tokens",
            "The sign-in is \(request.request.method.rawValue) \(url.path). Are the accounts"
                + " (--accounts), the call and its fields (\(expected.place)logIn) right?")
    }
}

extension ResponseCheck {
    /// True for a response to a sign-in or a refresh that brings an access token where the profile
    /// says.
    func hasToken(_ response: WireResponse, of role: Endpoint.Role) -> Bool {
        guard (200...299).contains(response.status) else { return false }
        guard let form = expected.form else { return true }
        switch (role == .signIn ? form.signInWay : form.delivery).access {
        case .member(let access):
            let body = try? JSONParser.parse(response.body)
            guard case .string? = body?.member(at: access)?.value else { return false }
            return true
        case .header(let name, _): return response.headers[name] != nil
        case .cookie(let access):
            return response.headers.values(for: "Set-Cookie").contains {
                $0.hasPrefix(access + "=")
            }
        case .body: return TokenDelivery.token(inWhole: response.body) != nil
        }
    }

    private mutating func checkTokens(in response: WireResponse, _ endpoint: Endpoint) {
        let (expected, role) = (expected, endpoint.role)
        guard let form = expected.form, !hasToken(response, of: role) else { return }
        let way = role == .signIn ? form.signInWay : form.delivery
        let key = role == .signIn && form.signInDelivery != nil ? "signInD" : "d"
        switch way.access {
        case .member(let access):
            note(
                .tokens, endpoint.name, endpoint,
                response.shape(try? JSONParser.parse(response.body)),
                "JSON object with \(access)",
                "No access token was found. Say its member's name:"
                    + " \(expected.place)\(key)elivery={\"json\":{\"access\":\"NAME\"}}")
        case .header(let name, _):
            note(
                .tokens, endpoint.name, endpoint, "\(response.status)", "the header field \(name)",
                "No access token was found. Say its field's name:"
                    + " \(expected.place)\(key)elivery={\"each\":{\"access\":{\"header\":"
                    + "{\"name\":\"NAME\"}}}}")
        case .body:
            note(
                .tokens, endpoint.name, endpoint,
                response.shape(try? JSONParser.parse(response.body)), "a token alone",
                "No access token was found. Say where it stands: \(expected.place)\(key)elivery")
        case .cookie(let access):
            note(
                .tokens, endpoint.name, endpoint, "\(response.status)", "the cookie \(access)",
                "No access token was found. Say its cookie's name:"
                    + " \(expected.place)\(key)elivery={\"cookies\":{\"access\":\"NAME\"}}")
        }
    }

    private mutating func checkBody(of response: WireResponse, _ endpoint: Endpoint) {
        if known.contains(endpoint.number), response.beginsAsJSON { return }
        let expected = expected
        guard let page = expected.decoded[endpoint.name],
            ![204, 205].contains(response.status) || page != nil
        else { return }
        let body = try? JSONParser.parse(response.body)
        if let page, !(page.reduce(body) { $0?[$1] }?.isList ?? false) {
            let place = page.isEmpty ? "[…]" : "{\"\(page.joined(separator: "."))\": […]}"
            return note(
                .page, endpoint.name, endpoint, response.shape(body), place,
                "A page of a list is read so. Without \"list\" in \(expected.place)endpoints any"
                    + " JSON is read")
        }
        guard body == nil else {
            known.insert(endpoint.number)
            return
        }
        note(
            .body, endpoint.name, endpoint, response.shape(nil), "JSON",
            "The app decodes JSON here. In the profile's screens, { \"endpoint\":"
                + " \"\(endpoint.name)\", \"reads\": \"text\" } reads any text, \"bytes\" any body"
                + " and \"status\" none")
    }
}

/// What a profile says of its server's responses.
public struct ExpectedResponses: Sendable {
    /// How tokens travel, and what refusals look like; `nil` where only the app's code knows.
    public var form: TokenForm?
    /// The key path of that form in the profile: `backend.service.`.
    public var place = ""
    /// The endpoints whose responses the app decodes, each with the place of a page's objects in
    /// them; `nil` where any JSON will do.
    public var decoded: [String: [String]?] = [:]

    /// Expectations of which none is set.
    public init() {}

    /// The setting for a refusal that its status alone tells.
    fileprivate func statusAlone(of name: String, _ own: TokenRefusal, _ status: Int) -> String {
        own.status == status
            ? "\(place)\(name).statusAlone=true"
            : "\(place)\(name)={\"status\":\(status),\"statusAlone\":true}"
    }
}

extension JSONNode {
    fileprivate var isList: Bool {
        if case .array = value { true } else { false }
    }
}

extension TokenRefusal {
    fileprivate var words: String { "\(status) \(body.excerpt(80))" }
}

extension WireResponse {
    /// Where a redirect leads, without its query and long words; `nil` where it leads nowhere.
    var redirect: String? {
        guard (300...399).contains(status), let place = headers.value(for: "Location") else {
            return nil
        }
        let words = place.prefix { !"?#".contains($0) }
            .split(separator: "/", omittingEmptySubsequences: false)
        return words.map { $0.utf8.count > 30 ? "…" : $0 }.joined(separator: "/").excerpt(80)
    }

    fileprivate func `is`(_ refusal: TokenRefusal) -> Bool {
        refusal.matches(status: status, body: body)
    }

    /// Status and body of a refusal, without long words: they may be tokens.
    fileprivate var refusal: String {
        let text = String(decoding: body.prefix(2_000), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).map { word in
            word.split(omittingEmptySubsequences: false) { "\"',:/=".contains($0) }
                .contains { $0.utf8.count > 30 } ? "…" : String(word)
        }
        return words.isEmpty
            ? "\(status) without a body" : "\(status) \(words.joined(separator: " ").excerpt(100))"
    }

    /// Status and form of a body, without its values: they may be personal.
    fileprivate func shape(_ node: JSONNode?) -> String {
        guard let node else {
            let type = headers.value(for: "Content-Type")?.prefix { $0 != ";" }.description ?? ""
            return body.isEmpty
                ? "\(status) without a body"
                : "\(status) \(type.isEmpty ? "body" : type.excerpt(40)) that is no JSON"
        }
        let names = node.members.map(\.name)
        guard !names.isEmpty else { return "\(status) JSON without members" }
        return "\(status) JSON object with " + names.map { $0.excerpt(30) }.listed(atMost: 6)
    }

    /// True for a body that begins as JSON does, which is all that is looked at once a body was
    /// read.
    fileprivate var beginsAsJSON: Bool {
        guard let first = body.first(where: { !" \n\t\r".utf8.contains($0) }) else { return false }
        return "{[\"-0123456789tfn".utf8.contains(first)
    }
}
