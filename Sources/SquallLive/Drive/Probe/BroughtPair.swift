import Foundation
import SquallFormat
import SquallHTTP

/// The tokens that a response brings, where they stand in it, and what it says of their lives.
struct BroughtPair {
    var access: String
    var refresh: String?
    /// Where they stood.
    private(set) var places: (access: TokenDelivery.Place, refresh: TokenDelivery.Place?)
    /// How long the access token is good by the response's own words, and which these are.
    var stated: [(by: LifeSource, nanoseconds: Int64)] = []
    /// True where a member says that in milliseconds.
    private(set) var tellsMilliseconds = false
    /// How long the refresh token is good by the response's own words.
    var statedRefresh: Int64?
    /// The access token's life, where only the response's date tells when it began.
    private(set) var dated: Int64?
    /// Members beside the tokens, as a profile has them.
    private(set) var constants: [String: JSON] = [:]
    /// What the tokens claim, where the access token is a JWT.
    private(set) var claims: TokenClaims?
    /// The cookies whose values requests may have to repeat, by their names.
    private(set) var guards: [String: String] = [:]

    /// A text of the response that could be a token.
    private struct Candidate {
        let place: TokenDelivery.Place
        let text: String
        /// The name's last part and the whole name, in lower case, without `-`, `_` and `.`.
        let last, whole: String

        init(_ place: TokenDelivery.Place, _ text: String) {
            (self.place, self.text) = (place, text)
            func plain(_ name: some StringProtocol) -> String {
                name.lowercased().filter { !"-_.".contains($0) }
            }
            last = plain(place.name.split(separator: ".").last ?? "")
            whole = plain(place.name)
        }

        var isGuard: Bool { whole.contains("csrf") || whole.contains("xsrf") }
        var isOfRefresh: Bool {
            whole.contains("refresh") || whole.contains("renew") || isCookie("rt")
        }

        func isCookie(_ name: String) -> Bool {
            if case .cookie = place { whole == name } else { false }
        }
    }

    private static let constantNames = ["token_type", "tokenType", "scope"]
    private static let refreshLifeNames = ["refreshexpiresin", "refreshtokenexpiresin"]

    /// The tokens of a response; `nil` where it brings no access token.
    init?(_ headers: HTTPHeaders, _ body: [UInt8], of calls: TokenCalls, isRefresh: Bool = false) {
        let way = isRefresh ? calls.form.delivery : calls.form.signInWay
        let node = try? JSONParser.parse(body)
        let members = Self.members(of: node)
        let cookies = Self.cookies(headers)
        var all = members.compactMap { member in
            if case .string(let text) = member.value, !text.isEmpty {
                Candidate(.member(member.path), text)
            } else {
                nil
            }
        }
        all += cookies.map { Candidate(.cookie($0.name), $0.value) }
        all += Self.fields(headers)
        if members.isEmpty, let token = TokenDelivery.token(inWhole: body) {
            all.append(Candidate(.body(isJSON: body.contains(UInt8(ascii: "\""))), token))
        }
        let found: (access: Candidate, refresh: Candidate?)?
        if calls.open.contains(isRefresh ? .refreshed : .tokens) {
            found = Self.search(all)
        } else {
            let access = all.first { $0.place.isSame(as: way.access) }
            found = access.map { access in
                (access, way.refresh.flatMap { place in all.first { $0.place.isSame(as: place) } })
            }
        }
        guard let found else { return nil }
        (access, refresh) = (found.access.text, found.refresh?.text)
        places = (found.access.place, found.refresh?.place)
        if calls.renewsItself { (refresh, places.refresh) = (access, TokenCalls.stand) }
        for cookie in all where cookie.isGuard || calls.form.csrf?.names(cookie.place) == true {
            guards[cookie.place.name] = cookie.text
        }
        for case (let name, .string(let text)) in members where Self.constantNames.contains(name) {
            constants[name] = .string(text)
        }
        readClaims()
        readLives(members, way, HTTPDate.secondsSince1970(headers["Date"] ?? ""))
    }

    /// Why no life is stated.
    ///
    /// A clock of this machine tells nothing: the service's may be another.
    var whyNoLife: String {
        JWT.expirySeconds(of: access) == nil
            ? "the response tells neither a life nor an end, and the access token is not a JWT"
                + " with one"
            : "the access token is a JWT that says when it ends, but neither its iat nor a Date"
                + " of the response says when it was issued"
    }

    /// Where tokens stand in such a response, as a setting.
    var delivery: TokenDelivery {
        var lifetime: String?
        if case .member(let path)? = stated.first?.by { lifetime = path }
        var delivery = TokenDelivery(
            access: places.access, refresh: places.refresh, lifetime: lifetime,
            members: constants.isEmpty ? "" : JSON.object(constants).line)
        delivery.tellsMilliseconds = tellsMilliseconds && lifetime != nil
        return delivery
    }

    private static func search(_ all: [Candidate]) -> (access: Candidate, refresh: Candidate?)? {
        let usable = all.filter { !$0.isGuard }
        func access(of names: [String]) -> Candidate? {
            for name in names {
                if let found = usable.first(where: { $0.last == name && !$0.isOfRefresh }) {
                    return found
                }
            }
            return nil
        }
        let ways: [(Candidate) -> Bool] = [
            { candidate in
                !candidate.isOfRefresh
                    && ["accesstoken", "accessjwt", "idtoken"].contains(
                        where: candidate.whole.contains)
            },
            { !$0.isOfRefresh && $0.last.hasSuffix("token") },
            { candidate in
                // A member may be anything; a cookie or a header field that is called so is not.
                if case .member = candidate.place { return false }
                return !candidate.isOfRefresh
                    && ["auth", "token", "session", "jwt"].contains(where: candidate.whole.contains)
            },
            { $0.isCookie("at") }, { if case .body = $0.place { true } else { false } },
            // A sign-in that sets a cookie and brings nothing else: connect.sid, sid, PHPSESSID.
            { candidate in
                guard case .cookie = candidate.place else { return false }
                return !candidate.isOfRefresh && candidate.text.utf8.count >= 16
            },
        ]
        let access =
            access(of: TokenNames.access)
            ?? ways.lazy.compactMap { usable.first(where: $0) }.first
        return access.map { access in
            let renewing = usable.filter { $0.isOfRefresh && $0.text != access.text }
            return (access, renewing.first { !$0.whole.contains("expire") })
        }
    }

    private mutating func readClaims() {
        guard JWT.expirySeconds(of: access) != nil else { return }
        let subject = ["sub", "user_id", "userId", "id"].first { JWT.has($0, access) }
        claims = TokenClaims(
            subject: subject ?? "sub", hasIssue: JWT.has("iat", access),
            ofRefresh: refresh.flatMap(JWT.expirySeconds(of:)) != nil)
    }

    private mutating func readLives(
        _ members: [(path: String, value: JSONNode.Value)], _ way: TokenDelivery, _ date: Int64?
    ) {
        func life(_ words: [String], _ name: String? = nil, perSecond: Double = 1) -> (
            name: String, nanoseconds: Int64
        )? {
            members.lazy.compactMap { member in
                let last = member.path.split(separator: ".").last ?? ""
                guard member.path == name || words.contains(TokenNames.word(last)) else {
                    return nil
                }
                switch member.value {
                case .number(let text), .string(let text):
                    guard let number = Double(text), Self.lives.contains(number / perSecond) else {
                        return nil
                    }
                    return (member.path, Int64(number / perSecond * 1e9))
                default: return nil
                }
            }.first
        }
        let isSmall = way.tellsMilliseconds
        if let life = life(TokenNames.lifetimes, isSmall ? nil : way.lifetime) {
            stated.append((.member(life.name), life.nanoseconds))
        } else if let life = life(
            TokenNames.lifetimesInMilliseconds, isSmall ? way.lifetime : nil, perSecond: 1_000)
        {
            stated.append((.member(life.name), life.nanoseconds))
            tellsMilliseconds = true
        }
        if stated.isEmpty, let date { readEnd(members, at: date) }
        if stated.isEmpty, JWT.lifeSeconds(of: access) == nil {
            dated = Self.life(ofJWT: access, at: date)
        }
        if let life = Self.life(ofJWT: access, at: date) { stated.append((.expiry, life)) }
        statedRefresh =
            life(Self.refreshLifeNames)?.nanoseconds
            ?? refresh.flatMap { Self.life(ofJWT: $0, at: date) }
    }

    /// Reads the moment at which the access token ends by a member, as it was told at a date.
    private mutating func readEnd(
        _ members: [(path: String, value: JSONNode.Value)], at date: Int64
    ) {
        for (path, value) in members
        where TokenNames.ends.contains(TokenNames.word(path.split(separator: ".").last ?? "")) {
            let (end, stand): (Int64, String)
            switch value {
            case .number(let text):
                guard let number = Double(text), number < 1e14 else { continue }
                // Seconds since 1970 have ten digits, milliseconds thirteen.
                let isSmall = number >= 1e11
                end = Int64(isSmall ? number / 1_000 : number)
                stand = isSmall ? "" : "{expiresAt}"
            case .string(let text):
                guard let seconds = HTTPDate.secondsSince1970(rfc3339: text) else { continue }
                (end, stand) = (seconds, "{expiryDate}")
            default: continue
            }
            guard Self.lives.contains(Double(end - date)) else { continue }
            stated.append((.end(path), (end - date) * 1_000_000_000))
            if !stand.isEmpty, !path.contains(".") { constants[path] = .string(stand) }
            return
        }
    }

    /// The members of a JSON object and of the objects in it, those on top first.
    private static func members(
        of node: JSONNode?, behind path: String = "", depth: Int = 0
    ) -> [(path: String, value: JSONNode.Value)] {
        guard depth < 4, let members = node?.members else { return [] }
        return members.map { (path + $0.name, $0.value.value) }
            + members.flatMap {
                Self.members(of: $0.value, behind: path + $0.name + ".", depth: depth + 1)
            }
    }

    /// What a response has besides, by name, for people.
    static func parts(_ headers: HTTPHeaders, _ body: [UInt8]) -> String {
        let names = [
            ("members", members(of: try? JSONParser.parse(body)).map(\.path)),
            ("cookies", cookies(headers).map(\.name)),
        ]
        let told = names.filter { !$0.1.isEmpty }.map { kind, names in
            "the \(kind) \(names.prefix(12).map { $0.keptFromOutside() }.joined(separator: ", "))"
        }
        return told.isEmpty ? "neither members nor cookies" : told.joined(separator: " and ")
    }

    private static func cookies(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
        headers.values(for: "Set-Cookie").compactMap { field in
            let halves = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[1] != "\"\"" else { return nil }
            return (String(halves[0]), String(halves[1]))
        }
    }

    /// Fields of a response that may hold tokens: `Authorization`, and those with a token's name.
    private static func fields(_ headers: HTTPHeaders) -> [Candidate] {
        headers.compactMap { field in
            let name = field.name.lowercased()
            guard name == "authorization" || name.hasSuffix("-token") else { return nil }
            let words = field.value.split(separator: " ")
            guard let token = words.last, words.count <= 2 else { return nil }
            let scheme = words.count == 2 ? String(words[0]) : nil
            return Candidate(.header(field.name, scheme: scheme), String(token))
        }
    }

    /// How long a JWT lives: from its issue, or from the date of its response.
    private static func life(ofJWT token: String, at date: Int64?) -> Int64? {
        let life =
            JWT.lifeSeconds(of: token)
            ?? JWT.expirySeconds(of: token).flatMap { end in date.map { end - Double($0) } }
        return life.flatMap { lives.contains($0) ? Int64($0 * 1e9) : nil }
    }

    /// The lives that are believed, in seconds.
    private static let lives = 0.001...1e9
}

extension TokenDelivery.Place {
    /// Equality under which a header field's name has no case.
    fileprivate func isSame(as other: TokenDelivery.Place) -> Bool {
        if case (.header(let own, _), .header(let name, _)) = (self, other) {
            return own.lowercased() == name.lowercased()
        }
        return self == other
    }
}

extension CSRFGuard {
    fileprivate func names(_ place: TokenDelivery.Place) -> Bool {
        place == .cookie(access) || place == .cookie(refresh)
    }
}

/// The source of an access token's stated life.
enum LifeSource {
    /// A member of the response, by its path.
    case member(String)
    /// A member that says when it ends, and the response's date.
    case end(String)
    /// The token's own `exp`.
    case expiry

    /// Its name for people.
    var words: String {
        switch self {
        case .member(let path): path
        case .end(let path): "\(path), less the response's date,"
        case .expiry: "exp of the JWT"
        }
    }
}
