import SquallBackend
public import SquallFormat
import SquallHTTP
import SquallServices

extension ProbeReport {
    /// The settings of a profile's `backend.tokens` that were seen, by their key paths.
    public var settings: [(path: String, value: JSON)] {
        lives.map(Self.setting) + rules
    }

    /// Those of them that say what a refresh does, and not how long tokens live.
    var rules: [(path: String, value: JSON)] { (rule + ends).map(Self.setting) }

    private static func setting(_ key: String, _ value: JSON) -> (path: String, value: JSON) {
        ("backend.tokens." + key, value)
    }

    /// The refusals of a profile's `backend.service` that were seen, and what else its responses
    /// showed, by their key paths.
    public var refusals: [(path: String, value: JSON)] {
        var seen: [(String, ProbedRefusal?)] = [
            ("expired", tokens.expired), ("unauthorized", tokens.invalid),
        ]
        // At one call a profile's client must be able to tell the two apart.
        let form = calls.form
        if form.logIn.path != form.refresh.path || tokens.revoked != tokens.expired {
            seen.append(("signedOut", tokens.revoked))
        }
        if tokens.missing != tokens.invalid { seen.append(("missing", tokens.missing)) }
        if tokens.refusesEarly == true { seen.append(("early", tokens.early)) }
        for (key, refusal) in [
            ("refreshExpired", tokens.outlived), ("unknownRefresh", tokens.unknownRefresh),
        ] where refusal != tokens.revoked {
            seen.append((key, refusal))
        }
        var all = seen.compactMap { key, refusal in
            refusal.flatMap { $0.status < 600 ? (key, $0.setting) : nil }
        }
        if let effect = tokens.signOut { all.append(("logOutEffect", .string(effect.rawValue))) }
        if !calls.tokenHeaders.isEmpty {
            all.append(("tokenHeaders", .array(calls.tokenHeaders.map(JSON.string))))
        }
        if tokens.repeatsRefreshToken { all.append(("repeatsRefreshToken", .bool(true))) }
        return all.map { ("backend.service." + $0.0, $0.1) }
    }

    private var lives: [(String, JSON)] {
        var all: [(String, JSON)] = []
        if let whole = tokens.wholeSeconds {
            // It is cut to whole seconds: lives are up to one of them shorter.
            all = [("accessLifetime", Self.span(whole)), ("lifetimeJitter", "1s")]
        }
        let seen = all.isEmpty ? tokens.life.flatMap(\.limit) : nil
        if all.isEmpty, let life = seen ?? tokens.statedLife,
            (Span.second...Span.year).contains(life)
        {
            all.append(("accessLifetime", Self.span(life)))
        }
        if let life = seen, tokens.life?.isSpread == false,
            let stated = tokens.statedLife(ofLife: life), (Span.second...Span.year).contains(stated)
        {
            all.append(("statedLifetime", Self.span(stated)))
        }
        if let life = tokens.life, life.isSpread, let refused = life.refused {
            all.append(("lifetimeJitter", Self.span(life.accepted - refused)))
        }
        let refresh = tokens.refreshLife?.limit ?? tokens.statedRefreshLife
        if let life = refresh, (Span.second...Span.year).contains(life) {
            all.append(("refreshLifetime", Self.span(life)))
        }
        return all
    }

    private var rule: [(String, JSON)] {
        tokens.semantics?.settings.map { ($0.key, $0.value) } ?? []
    }

    private var ends: [(String, JSON)] {
        var all: [(String, JSON)] = []
        if let ends = tokens.refreshEndsAccess {
            all.append(("refreshRevokesAccessTokens", .bool(ends)))
        }
        switch tokens.semantics {
        case .rotatingWithLeeway?, .rotatingWithReplay?:
            if tokens.revokesFamily == false { all.append(("reuseRevokesFamily", .bool(false))) }
        default: break
        }
        let together = tokens.semantics?.usesUp == true ? tokens.together : nil
        if tokens.replaysAccess || together?.isSame == true {
            all.append(("replaysAccessToken", .bool(true)))
        }
        if let together, together.accepted > 1 {
            all.append(("parallelRefreshes", .integer(Int64(together.accepted))))
            let window = max(50_000_000, together.nanoseconds)
            all.append(("parallelWindow", Self.span(min(window, Span.minute))))
        }
        if let lag = tokens.revocationLag?.limit {
            all.append(("revocationLag", Self.span(min(lag, Span.hour))))
        }
        return all
    }

    private static func span(_ nanoseconds: Int64) -> JSON {
        .string(Units.exact(nanoseconds: nanoseconds))
    }
}

extension TokenCalls {
    /// The settings of a profile's `backend.service` that say how tokens travel, by key paths; a
    /// client's name and secret are never among them.
    public var settings: [(path: String, value: JSON)] {
        form.settings.map { ("backend.service." + $0.key, $0.value) }
    }
}

extension ProbedRefusal {
    /// A status and its body, where that is short enough for a profile.
    fileprivate var setting: JSON {
        var members: [String: JSON] = ["status": .integer(Int64(status))]
        if body.unicodeScalars.count <= 4_000 { members["body"] = .string(body) }
        if !headers.isEmpty {
            let fields = headers.sorted { $0.key < $1.key }
            members["headers"] = .array(fields.map { .string("\($0.key): \($0.value)") })
        }
        return .object(members)
    }
}
