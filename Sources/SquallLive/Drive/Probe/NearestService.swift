import SquallBackend
import SquallFormat
import SquallHTTP
import SquallServices

/// The token service of those known by name that a probed one is most like.
struct NearestService {
    let preset: TokenPreset
    /// Facts that were seen of both and agree, and those that differ.
    let same, different: [String]
    /// 1 where its refresh has the path that was called, which decides between equals; else 0.
    private let isAtPath: Int

    /// The least share of what was seen that must agree.
    private static let share = 0.75
    private static let sameMin = 5

    /// The one of the measured services with which the most agrees; `nil` where none is like it.
    init?(_ tokens: ProbedTokens, _ calls: TokenCalls) {
        let all = TokenPreset.all.filter(\.isMeasured).map {
            NearestService($0, tokens, calls)
        }
        let best = all.max {
            ($0.same.count, -$0.different.count, $0.isAtPath)
                < ($1.same.count, -$1.different.count, $1.isAtPath)
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
        let form = preset.service.form
        isAtPath = form.refresh.path == calls.form.refresh.path ? 1 : 0
        let seen =
            Self.rules(preset.service, tokens, calls.form)
            + Self.refusal(Self.expired, tokens.expired, form.expired)
            + Self.refusal(Self.invalid, tokens.invalid, form.unauthorized)
            + Self.refusal("no access token", tokens.missing, form.refusal(.missing))
            + Self.refusal(
                "an unknown refresh token", tokens.unknownRefresh, form.refusal(.unknownRefresh))
        same = seen.filter { $0.agrees == true }.map(\.words)
        different = seen.filter { $0.agrees == false }.map(\.words)
    }

    /// A compared fact, and whether it agrees; `nil` where it was not seen.
    private typealias Comparison = (words: String, agrees: Bool?)

    private static func rules(
        _ service: TokenService, _ tokens: ProbedTokens, _ asked: TokenForm
    ) -> [Comparison] {
        let (policy, form) = (service.tokens, service.form)
        // Without refresh tokens there is no rule to differ in.
        let isWithout = !form.hasRefreshTokens && !asked.hasRefreshTokens
        var all: [Comparison] = [
            (rule, isWithout ? true : tokens.semantics.map { $0.isLike(policy.refresh) }),
            (
                "an old access token",
                tokens.refreshEndsAccess.map { $0 == policy.refreshRevokesAccessTokens }
            ),
            ("the sign-in's members", form.signInWay.access == asked.signInWay.access),
            ("refresh tokens", form.hasRefreshTokens == asked.hasRefreshTokens),
            ("where the access token is shown", form.access == asked.access),
            ("JWTs", (form.claims == nil) == (asked.claims == nil)),
        ]
        if form.hasRefreshTokens, asked.hasRefreshTokens {
            all.append(
                ("where the refresh token is shown", form.refresh.token == asked.refresh.token))
        }
        return all
    }

    private static func refusal(
        _ words: String, _ probed: ProbedRefusal?, _ own: TokenRefusal
    ) -> [Comparison] {
        guard let probed else { return [] }
        let challenge = "WWW-Authenticate"
        let isChallenged = probed.headers[challenge] != nil
        return [
            ("status of \(words)", probed.status == own.status),
            (
                "body of \(words)",
                own.matches(status: own.status, body: Array(probed.body.utf8))
            ),
            (
                "\(challenge) of \(words)", (own.headers[challenge] != nil) == isChallenged
            ),
        ]
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
    /// Equality of the rule, however long its windows are.
    fileprivate func isLike(_ other: RefreshSemantics) -> Bool {
        switch (self, other) {
        case (.rotatingWithLeeway, .rotatingWithLeeway), (.rotatingWithReplay, .rotatingWithReplay):
            true
        default: self == other
        }
    }
}
