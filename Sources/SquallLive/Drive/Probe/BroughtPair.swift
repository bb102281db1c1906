import Foundation
import SquallFormat
import SquallHTTP

/// The tokens that a response brings, and what it says of their lives.
struct BroughtPair {
    var access: String
    var refresh: String?
    /// The names under which they stood, and whether these are cookies'.
    private(set) var names: (access: String, refresh: String?)
    private(set) var areCookies = false
    /// How long the access token is good by the response's own words, and which these are.
    var stated: [(words: String, nanoseconds: Int64)] = []
    /// How long the refresh token is good by the response's own words.
    var statedRefresh: Int64?

    private static let accessNames = [
        "access_token", "accessToken", "accessJwt", "id_token", "idToken", "token", "access",
        "jwt", "authToken",
    ]
    private static let refreshNames = ["refresh_token", "refreshToken", "refreshJwt", "refresh"]
    private static let lifeNames = ["expires_in", "expiresIn", "accessTokenExpiresIn"]
    private static let refreshLifeNames = [
        "refresh_expires_in", "refresh_token_expires_in", "refreshExpiresIn",
        "refreshTokenExpiresIn",
    ]
    private static let cookieNames = (
        access: ["access_token", "accessToken", "session", "sessionid", "token", "jwt"],
        refresh: ["refresh_token", "refreshToken", "renewal", "refresh"]
    )

    /// Those of a response; `nil` where it brings no access token.
    init?(_ headers: HTTPHeaders, _ body: [UInt8], of calls: TokenCalls) {
        let members = Self.members(of: (try? JSONParser.parse(body)), depth: 0)
        let cookies = Self.cookies(headers).map {
            (name: $0.name, value: JSONNode.Value.string($0.value))
        }
        var lives = Self.lifeNames
        let found: BroughtPair?
        switch calls.form.delivery {
        case .json(let access, let refresh, let life) where calls.namesTokens:
            if let life { lives.insert(life, at: 0) }
            found = BroughtPair(members, [access], [refresh])
        case .cookies(let access, let refresh) where calls.namesTokens:
            found = BroughtPair(cookies, [access], [refresh])?.inCookies
        default:
            found =
                BroughtPair(members, Self.accessNames, Self.refreshNames)
                ?? BroughtPair(cookies, Self.cookieNames.access, Self.cookieNames.refresh)?
                .inCookies
        }
        guard let found else { return nil }
        self = found
        readLives(members, lives)
    }

    private var inCookies: BroughtPair {
        var pair = self
        pair.areCookies = true
        return pair
    }

    private init?(
        _ members: [(name: String, value: JSONNode.Value)], _ access: [String], _ refresh: [String]
    ) {
        func find(_ names: [String]) -> (name: String, text: String)? {
            for name in names {
                for member in members where member.name == name {
                    if case .string(let text) = member.value, !text.isEmpty { return (name, text) }
                }
            }
            return nil
        }
        guard let found = find(access) else { return nil }
        let renewing = find(refresh)
        (self.access, self.refresh) = (found.text, renewing?.text)
        names = (found.name, renewing?.name)
    }

    private mutating func readLives(
        _ members: [(name: String, value: JSONNode.Value)], _ names: [String]
    ) {
        func seconds(_ names: [String]) -> (name: String, nanoseconds: Int64)? {
            for member in members where names.contains(member.name) {
                let text: String
                switch member.value {
                case .number(let written), .string(let written): text = written
                default: continue
                }
                if let number = Double(text), Self.lives.contains(number) {
                    return (member.name, Int64(number * 1e9))
                }
            }
            return nil
        }
        if let life = seconds(names) { stated.append((life.name, life.nanoseconds)) }
        if let life = Self.life(ofJWT: access) { stated.append(("exp of the JWT", life)) }
        statedRefresh =
            seconds(Self.refreshLifeNames)?.nanoseconds ?? refresh.flatMap(Self.life(ofJWT:))
    }

    /// The members of a JSON object and of the objects in it.
    private static func members(
        of node: JSONNode?, depth: Int
    ) -> [(name: String, value: JSONNode.Value)] {
        guard depth < 3, case .object(let members) = node?.value else { return [] }
        return members.map { ($0.name, $0.value.value) }
            + members.flatMap { Self.members(of: $0.value, depth: depth + 1) }
    }

    private static func cookies(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
        headers.values(for: "Set-Cookie").compactMap { field in
            let halves = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            return halves.count == 2 ? (String(halves[0]), String(halves[1])) : nil
        }
    }

    private static func life(ofJWT token: String) -> Int64? {
        JWT.lifeSeconds(of: token).flatMap { lives.contains($0) ? Int64($0 * 1e9) : nil }
    }

    /// The lives that are believed, in seconds.
    private static let lives = 0.001...1e9
}
