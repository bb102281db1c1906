import SquallBackend
import SquallFormat
import SquallHTTP
import SquallServices

/// The token service of those known by name that a probed one is most like.
struct NearestService {
    let preset: TokenPreset
    /// What was seen of both and is the same, and what differs.
    let same, different: [String]

    /// How much must agree of what was seen.
    private static let share = 0.75
    private static let sameMin = 5

    /// The one of the measured services with which the most agrees; `nil` where none is like it.
    init?(_ tokens: ProbedTokens, _ calls: TokenCalls) {
        let all = TokenPreset.all.filter(\.isMeasured).map {
            NearestService($0, tokens, calls)
        }
        let best = all.max {
            ($0.same.count, -$0.different.count) < ($1.same.count, -$1.different.count)
        }
        guard let best, best.same.contains(Self.rule), best.same.count >= Self.sameMin,
            best.same.contains(where: Self.bodies.contains),
            Double(best.same.count) >= Self.share * Double(best.same.count + best.different.count)
        else { return nil }
        self = best
    }

    private static let rule = "what a refresh does"
    private static let (expired, invalid) = ("an expired access token", "an unknown access token")
    /// Of these at least one must be the same: the rest many servers have alike.
    private static let bodies = [expired, invalid].map { "body of \($0)" }

    private init(_ preset: TokenPreset, _ tokens: ProbedTokens, _ calls: TokenCalls) {
        self.preset = preset
        let (policy, form) = (preset.service.tokens, preset.service.form)
        var seen: [(String, Bool?)] = []
        func refusal(_ words: String, _ probed: ProbedRefusal?, _ own: TokenRefusal) {
            guard let probed else { return }
            seen.append(("status of \(words)", probed.status == own.status))
            let isSame = own.matches(status: own.status, body: Array(probed.body.utf8))
            seen.append(("body of \(words)", isSame))
            let challenge = own.headers["WWW-Authenticate"] != nil
            seen.append(
                (
                    "WWW-Authenticate of \(words)",
                    challenge == (probed.headers["WWW-Authenticate"] != nil)
                ))
        }
        let semantics = tokens.semantics
        // Without refresh tokens there is no rule to differ in.
        let isWithout = !form.hasRefreshTokens && calls.form.signInWay.refresh == nil
        seen.append((Self.rule, isWithout ? true : semantics.map { $0.isLike(policy.refresh) }))
        seen.append(
            (
                "an old access token",
                tokens.refreshEndsAccess.map { $0 == policy.refreshRevokesAccessTokens }
            ))
        seen.append(("the sign-in's members", form.signInWay.access == calls.form.signInWay.access))
        seen.append(
            (
                "refresh tokens",
                (form.signInWay.refresh == nil) == (calls.form.signInWay.refresh == nil)
            ))
        seen.append(("where the access token is shown", form.access == calls.form.access))
        if form.hasRefreshTokens, calls.form.hasRefreshTokens {
            seen.append(
                ("where the refresh token is shown", form.refresh.token == calls.form.refresh.token)
            )
        }
        seen.append(("JWTs", (form.claims == nil) == (calls.form.claims == nil)))
        refusal(Self.expired, tokens.expired, form.expired)
        refusal(Self.invalid, tokens.invalid, form.unauthorized)
        refusal("no access token", tokens.missing, form.refusal(.missing))
        refusal("an unknown refresh token", tokens.unknownRefresh, form.refusal(.unknownRefresh))
        same = seen.filter { $0.1 == true }.map(\.0)
        different = seen.filter { $0.1 == false }.map(\.0)
    }

    /// For people: name, version and how much agrees.
    var words: String {
        let count = "\(same.count) of \(same.count + different.count) observations agree"
        let rest = different.isEmpty ? "" : "; different: \(different.joined(separator: ", "))"
        return "\(preset.source) (--service \(preset.name); \(count)\(rest))"
    }

    var json: JSON {
        [
            "name": .string(preset.name), "version": .string(preset.source),
            "same": .array(same.map(JSON.string)), "different": .array(different.map(JSON.string)),
        ]
    }
}

extension RefreshSemantics {
    /// Whether it is the same rule, however long its windows are.
    fileprivate func isLike(_ other: RefreshSemantics) -> Bool {
        switch (self, other) {
        case (.rotatingWithLeeway, .rotatingWithLeeway), (.rotatingWithReplay, .rotatingWithReplay):
            true
        default: self == other
        }
    }
}
