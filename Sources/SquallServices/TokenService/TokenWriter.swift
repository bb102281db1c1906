public import SquallBackend
import SquallFormat
public import SquallHTTP

/// Writes the responses of a ``TokenService`` that bring tokens or end them.
struct TokenWriter {
    private let plan: TokenService

    init(_ plan: TokenService) { self.plan = plan }

    /// The response that brings tokens.
    func answer(_ grant: TokenGrant) -> Answer {
        let delivery = grant.isSignIn ? plan.form.signInWay : plan.form.delivery
        var headers = Answer.json.adding(plan.tokenHeaders)
        var members: JSON = [:]
        var whole: String?
        let tokens = [
            (grant.access, Optional(delivery.access), plan.form.csrf?.access),
            (grant.refresh, delivery.refresh, plan.form.csrf?.refresh),
        ]
        for case (let token?, let place?, let guarding) in tokens {
            switch place {
            case .member(let path): members.put(.string(token), at: path)
            case .header(let name, let scheme):
                headers.append(name: name, value: scheme.map { "\($0) \(token)" } ?? token)
            case .body(let isJSON):
                whole = isJSON ? "\"\(token)\"" : token
                if !isJSON { headers["Content-Type"] = "text/plain; charset=utf-8" }
            case .cookie(let name):
                headers.append(name: "Set-Cookie", value: "\(name)=\(token); Path=/; HttpOnly")
                guard let guarding else { continue }
                let value = CSRFGuard.value(beside: token)
                headers.append(name: "Set-Cookie", value: "\(guarding)=\(value); Path=/")
            }
        }
        if let lifetime = delivery.lifetime {
            if plan.form.tellsType { members.put("Bearer", at: "token_type") }
            members.put(
                .integer(grant.lifetime * (delivery.tellsMilliseconds ? 1_000 : 1)), at: lifetime)
        }
        let call = grant.isSignIn ? plan.form.logIn : plan.form.refresh
        return Answer(
            status: call.status, headers: headers,
            body: Body(whole ?? text(of: members, own(grant, delivery))))
    }

    private func own(_ grant: TokenGrant, _ delivery: TokenDelivery) -> String? {
        if let members = plan.members { return members(grant) }
        return delivery.members.isEmpty ? nil : grant.filled(delivery.members)
    }

    /// The members, followed by those that the service adds.
    private func text(of members: JSON, _ own: String?) -> String {
        guard let own, case .object(let members) = members else { return members.line }
        guard let node = try? JSONParser.parse(Array(own.utf8)),
            case .object(let added) = node.value
        else { preconditionFailure("the members of \(plan.name) are no JSON object: \(own)") }
        // An object in which a token stands keeps it.
        if added.contains(where: { members[$0.name]?.isObject ?? false }) {
            return JSON.object(members).merged(with: JSON(node)).line
        }
        let names = Set(added.map(\.name))
        let kept = JSON.object(members.filter { !names.contains($0.key) }).line
        guard let start = own.firstIndex(of: "{"), let end = own.lastIndex(of: "}") else {
            return kept
        }
        let inner = own[own.index(after: start)..<end]
        if added.isEmpty { return kept }
        return kept == "{}" ? "{\(inner)}" : "\(kept.dropLast()),\(inner)}"
    }

    /// The response to a log-out, which deletes cookies.
    var forgetting: Answer {
        var headers = Answer.json
        let (form, call) = (plan.form, plan.form.logOut)
        for (place, guarding) in [
            (Optional(form.signInWay.access), form.csrf?.access),
            (form.signInWay.refresh, form.csrf?.refresh),
        ] {
            guard case .cookie(let name)? = place else { continue }
            for name in [name, guarding].compactMap(\.self) {
                headers.append(name: "Set-Cookie", value: "\(name)=; Path=/; Max-Age=0")
            }
        }
        return Answer(
            status: call.status, headers: headers,
            body: call.status == 204 ? .empty : Body(call.answer))
    }

    /// A token as it travels: the mint's own, or a JWT that ends in it.
    func wire(
        _ token: String, isAccess: Bool, user: Int, issued: Int64, expiry: Int64
    ) -> String {
        guard let claims = plan.form.claims, isAccess || claims.ofRefresh else { return token }
        var own: [String: JSON] = ["exp": .integer(expiry), claims.subject: .integer(Int64(user))]
        if claims.hasIssue { own["iat"] = .integer(issued) }
        return JWT.text(claims: .object(own), signature: token)
    }
}

extension TokenGrant {
    /// A text with what `{user}`, `{email}`, `{lifetime}`, `{issuedAt}`, `{expiresAt}` and
    /// `{expiryDate}` stand for.
    func filled(_ text: String) -> String {
        let values = [
            ("\"{user}\"", "\(user)"), ("{user}", "\(user)"), ("{email}", email),
            ("\"{lifetime}\"", "\(lifetime)"), ("\"{expiresAt}\"", "\(expiresAt)"),
            ("\"{issuedAt}\"", "\(expiresAt - lifetime)"), ("{expiryDate}", expiryDate),
        ]
        return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// The end of the access token as RFC 3339 writes it, in UTC.
    private var expiryDate: String {
        let (days, seconds) = expiresAt.quotientAndRemainder(dividingBy: 86_400)
        let day = CivilDate(daysSince1970: days)
        let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }
        return "\(day.year)-\(day.month.padded(2))-\(day.day.padded(2))"
            + "T\(time.joined(separator: ":"))Z"
    }
}

extension JSON {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    /// Both objects in one; where either is no object, the other replaces it.
    fileprivate func merged(with other: JSON) -> JSON {
        guard case .object(let own) = self, case .object(let added) = other else { return other }
        return .object(own.merging(added) { $0.merged(with: $1) })
    }
}

extension TokenForm {
    /// The mint's text of a token that travels: a JWT ends in it, and a token that is access and
    /// refresh token in one has both of the mint's, one behind the other.
    func minted(_ token: String?, as kind: TokenMint.Kind = .access) -> String? {
        let whole = claims == nil ? token : token.map(JWT.signature(of:))
        guard isOneToken else { return whole }
        return whole.map { text in
            let half = text.count / 2
            return String(kind == .access ? text.prefix(half) : text.suffix(half))
        }
    }

    /// The mint's texts of tokens as they travel: where they are one, both in each.
    func travelling(_ access: String, _ refresh: String?) -> (access: String, refresh: String?) {
        guard isOneToken, let refresh else { return (access, refresh) }
        return (access + refresh, access + refresh)
    }

    /// The tokens that a response of a real server in the service's place brings.
    public func tokens(in answer: Answer, by delivery: TokenDelivery) -> TokenTexts? {
        let object = delivery.isInBody ? try? JSONParser.parse(answer.body.bytes) : nil
        let set = answer.headers.values(for: "Set-Cookie").joined(separator: "; ")
        func text(_ place: TokenDelivery.Place) -> String? {
            place.token(
                inBody: answer.body.bytes, member: { object?.member(at: $0)?.string },
                cookie: { FormFields.cookie($0, in: set) }, field: { answer.headers[$0] })
        }
        let texts = TokenTexts(
            access: minted(text(delivery.access)),
            refresh: minted(delivery.refresh.flatMap(text), as: .refresh))
        return texts == TokenTexts() ? nil : texts
    }
}

extension TokenPlace {
    /// The token that a request shows at this place.
    public func token(in request: URLRequest) -> String? {
        switch self {
        case .header(let name, let scheme):
            return request.value(forHTTPHeaderField: name).flatMap {
                TokenPlace.token(in: $0, behind: scheme)
            }
        case .query(let name):
            return FormFields.value(of: name, in: Array((request.url.query ?? "").utf8))
        case .cookie(let name):
            return FormFields.cookie(name, in: request.value(forHTTPHeaderField: "Cookie") ?? "")
        case .body(let name): return TokenPlace.member(name, of: request)
        case .form(let name): return FormFields.value(of: name, in: request.body.bytes)
        case .path:
            return request.url.path.split(separator: "/").last.map {
                FormFields.decoded(segment: $0)
            }
        }
    }

    /// The token that a request shows at this place; empty where `null` stands there, as programs
    /// write for a value that is not there.
    func tokenOrNull(in request: URLRequest) -> String? {
        if let token = token(in: request) { return token }
        guard case .body(let name) = self, let object = try? JSONParser.parse(request.body.bytes),
            case .null? = object.member(at: name)?.value
        else { return nil }
        return ""
    }

    /// True if a token here and a token there cannot both be shown.
    func coincides(with other: TokenPlace) -> Bool {
        switch (self, other) {
        case (.header(let own, _), .header(let name, _)):
            own.asciiLowercased == name.asciiLowercased
        default: self == other
        }
    }

    private static func member(_ name: String, of request: URLRequest) -> String? {
        guard !request.body.isEmpty else { return nil }
        let bytes = request.body.bytes
        guard bytes.first(where: { $0 > 32 }) == UInt8(ascii: "{") else {
            return FormFields.value(of: name, in: bytes)
        }
        guard let object = try? JSONParser.parse(bytes) else { return nil }
        return object.member(at: name)?.string
    }
}

/// Names and values as forms and addresses write them: `name=value&other=v%20w`.
public enum FormFields {
    /// Every name with its value, decoded, in order.
    public static func pairs(in text: [UInt8]) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { field in
            let key = field.prefix { $0 != UInt8(ascii: "=") }
            return (decoded(key), decoded(field[key.endIndex...].dropFirst()))
        }
    }

    /// The value of a name, decoded; the first when there are several.
    static func value(of name: String, in text: [UInt8]) -> String? {
        for field in text.split(separator: UInt8(ascii: "&")) {
            let key = field.prefix { $0 != UInt8(ascii: "=") }
            // Decoding only shortens, and few names have anything to decode.
            guard key.count >= name.utf8.count,
                key.elementsEqual(name.utf8) || decoded(key) == name
            else { continue }
            return decoded(field[key.endIndex...].dropFirst())
        }
        return nil
    }

    /// The value of a cookie in a request's header field.
    public static func cookie(_ name: String, in text: String) -> String? {
        cookies(in: text).first { $0.name == name }.map { String($0.value) }
    }

    /// The cookies in a request's header field, in its order.
    public static func cookies(in text: String) -> [(name: Substring, value: Substring)] {
        text.split(separator: ";").compactMap { field in
            let halves = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return halves.count == 2 ? (halves[0], halves[1]) : nil
        }
    }

    /// The text of a segment of a path, which has pluses as they are.
    static func decoded(segment text: Substring) -> String {
        decoded(Array(text.replacing("+", with: "%2B").utf8)[...])
    }

    static func decoded(_ text: ArraySlice<UInt8>) -> String {
        // A token is long, and has neither.
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
        else { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let pair = UInt8(hex: rest.prefix(2)) {
                bytes.append(pair)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 32 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(hex text: ArraySlice<UInt8>) {
        guard text.count == 2, text.first != UInt8(ascii: "+"),
            let value = UInt8(String(decoding: text, as: UTF8.self), radix: 16)
        else { return nil }
        self = value
    }
}
