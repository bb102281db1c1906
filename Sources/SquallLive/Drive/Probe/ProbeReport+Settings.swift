import SquallBackend
public import SquallFormat
import SquallHTTP

extension ProbeReport {
    /// The settings of a profile's `backend.tokens` that were seen, by their key paths.
    public var settings: [(path: String, value: JSON)] {
        let path = "backend.tokens."
        return (lives + rule + ends).map { (path + $0.0, $0.1) }
    }

    /// The refusals of a profile's `backend.service` that were seen, by their key paths.
    public var refusals: [(path: String, value: JSON)] {
        let path = "backend.service."
        var seen: [(String, ProbedRefusal)] = []
        if let expired = tokens.expired { seen.append(("expired", expired)) }
        if let invalid = tokens.invalid { seen.append(("unauthorized", invalid)) }
        // A profile's client must be able to tell the two apart.
        if let revoked = tokens.revoked, revoked != tokens.expired {
            seen.append(("signedOut", revoked))
        }
        if tokens.refusesEarly == true, let early = tokens.early { seen.append(("early", early)) }
        return seen.filter { (400...599).contains($0.1.status) }.map {
            (path + $0.0, $0.1.setting)
        }
    }

    private var lives: [(String, JSON)] {
        var all: [(String, JSON)] = []
        let seen = tokens.life.flatMap(\.limit)
        if let life = seen ?? tokens.statedLife, (Self.second...Self.year).contains(life) {
            all.append(("accessLifetime", Self.span(life)))
        }
        if let life = seen, tokens.life?.isSpread == false,
            let stated = tokens.statedLife(ofLife: life), (Self.second...Self.year).contains(stated)
        {
            all.append(("statedLifetime", Self.span(stated)))
        }
        if let life = tokens.life, life.isSpread, let refused = life.refused {
            all.append(("lifetimeJitter", Self.span(life.accepted - refused)))
        }
        if let life = tokens.statedRefreshLife, (Self.second...Self.year).contains(life) {
            all.append(("refreshLifetime", Self.span(life)))
        }
        return all
    }

    private var rule: [(String, JSON)] {
        switch tokens.semantics {
        case nil: return []
        case .coexist?: return [("refresh", "coexist")]
        case .early409?: return [("refresh", "early409")]
        case .rotatingStrict?: return [("refresh", "rotatingStrict")]
        case .oneShot?: return [("refresh", "oneShot")]
        case .rotatingWithLeeway(let window, let generations)?:
            return [
                ("refresh", "rotatingWithLeeway"), ("reuseWindow", Self.span(window)),
                ("reuseGenerations", .integer(Int64(generations))),
            ]
        case .rotatingWithReplay(let window, let parentOfActive)?:
            return [
                ("refresh", "rotatingWithReplay"), ("reuseWindow", Self.span(window)),
                ("replaysUnusedChild", .bool(parentOfActive)),
            ]
        }
    }

    private var ends: [(String, JSON)] {
        var all: [(String, JSON)] = []
        if let ends = tokens.refreshEndsAccess {
            all.append(("refreshRevokesAccessTokens", .bool(ends)))
        }
        if let lag = tokens.revocationLag?.limit {
            all.append(("revocationLag", Self.span(min(lag, 3_600_000_000_000))))
        }
        return all
    }

    private static let second: Int64 = 1_000_000_000
    private static let year: Int64 = 366 * 86_400 * second

    private static func span(_ nanoseconds: Int64) -> JSON {
        .string(Units.exact(nanoseconds: nanoseconds))
    }
}

extension TokenCalls {
    /// The settings of a profile's `backend.service` that say how tokens travel, by key paths.
    public var settings: [(path: String, value: JSON)] {
        let all: [(String, JSON)] = [
            ("token", form.access.setting), ("logIn", signIn.setting),
            ("refresh", renewal.setting), ("logOut", form.logOut.setting),
            ("delivery", form.delivery.setting),
        ]
        return all.map { ("backend.service." + $0.0, $0.1) }
    }
}

extension TokenCalls {
    /// The sign-in with its fields; a client's name and secret are never among them.
    private var signIn: TokenCall {
        var call = form.logIn
        call.isForm = encoding == .form
        (call.userField, call.passwordField) = (accountFields.name, accountFields.password)
        call.fields = (grant.map { [TokenField("grant_type", $0.rawValue)] } ?? []) + openFields
        return call
    }

    private var renewal: TokenCall {
        var call = form.refresh
        call.isForm = encoding == .form
        call.fields = (isOAuth ? [TokenField("grant_type", "refresh_token")] : []) + openFields
        return call
    }

    private var openFields: [TokenField] { fields.map { TokenField($0.name, $0.value) } }
}

extension TokenCall {
    fileprivate var setting: JSON {
        var members: [String: JSON] = [
            "method": .string(method.rawValue),
            "path": .string(String(path.prefix { $0 != "?" })), "token": token.setting,
            "showsAccess": .bool(showsAccess), "body": isForm ? "form" : "json",
            "fields": .array(fields.map { .string("\($0.name)=\($0.value)") }),
        ]
        if name == "logIn" {
            members["userField"] = .string(userField)
            members["passwordField"] = .string(passwordField)
        }
        return .object(members)
    }
}

extension TokenPlace {
    fileprivate var setting: JSON {
        switch self {
        case .header(let name, nil): ["header": ["name": .string(name)]]
        case .header(let name, let scheme?):
            ["header": ["name": .string(name), "scheme": .string(scheme)]]
        case .query(let name): ["query": .string(name)]
        case .cookie(let name): ["cookie": .string(name)]
        case .body(let name): ["body": .string(name)]
        case .form(let name): ["form": .string(name)]
        case .path(let name): ["path": .string(name)]
        }
    }
}

extension TokenDelivery {
    fileprivate var setting: JSON {
        switch self {
        case .json(let access, let refresh, let lifetime):
            var members: [String: JSON] = ["access": .string(access), "refresh": .string(refresh)]
            if let lifetime { members["lifetime"] = .string(lifetime) }
            return ["json": .object(members)]
        case .cookies(let access, let refresh):
            return ["cookies": ["access": .string(access), "refresh": .string(refresh)]]
        }
    }
}

extension ProbedRefusal {
    /// A status and its body, where that is short enough for a profile.
    fileprivate var setting: JSON {
        let status = JSON.integer(Int64(status))
        return body.unicodeScalars.count > 1_000
            ? ["status": status] : ["status": status, "body": .string(body)]
    }
}
