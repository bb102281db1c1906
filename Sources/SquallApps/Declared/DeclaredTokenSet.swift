import SquallClient
import SquallHTTP

/// The tokens that a sign-in or a refresh has brought.
struct DeclaredTokenSet: Sendable {
    let access: String
    let refresh: String?
    let expiry: Int64?
    /// The values of the cookies that guard the tokens, by the cookies' names.
    var guards: [String: String] = [:]

    /// The pair; where no refresh token came, the old one stays.
    func pair(keeping old: String) -> TokenPair {
        TokenPair(access: access, refresh: refresh ?? old, accessExpiry: expiry)
    }

    /// The pair that follows another one.
    ///
    /// A token that has ended by a clock which no response set ended in 1970.
    func pair(after old: TokenPair, _ missing: DeclaredTokenDesign.MissingLifetime) -> TokenPair {
        let end: Int64? =
            switch missing {
            case .noEnd: nil
            case .ended: 0
            case .fails: old.accessExpiry
            }
        return TokenPair(
            access: access, refresh: refresh ?? old.refresh, accessExpiry: expiry ?? end)
    }
}

extension DeclaredTokens {
    /// The tokens that a response brings; `nil` without an access token.
    func tokens(
        in answer: DeclaredTokenAnswer?, _ head: HTTPURLResponse?, _ body: Body? = nil,
        by way: TokenDelivery
    ) -> DeclaredTokenSet? {
        func text(_ place: TokenDelivery.Place) -> String? {
            place.token(
                inBody: body?.bytes, member: { answer?.text($0) }, cookie: { head?.cookie($0) },
                field: { head?.headers.value(for: $0) })
        }
        guard let token = text(way.access) else { return nil }
        let unit: Int64 = way.tellsMilliseconds ? 1_000 : 1
        let seconds = way.lifetime.flatMap { answer?.number($0) }.map { $0 / unit }
        var set = DeclaredTokenSet(
            access: token, refresh: way.refresh.flatMap(text),
            expiry: seconds.map { expiry(in: $0) })
        for name in [wire.csrf?.access, wire.csrf?.refresh].compactMap(\.self) {
            if let value = head?.cookie(name) { set.guards[name] = value }
        }
        return set
    }

    /// When a life of so many seconds ends by the device's clock; a century's at the most.
    private func expiry(in seconds: Int64) -> Int64 {
        let century: Int64 = 3_200_000_000
        return open.environment.time.nanosecondsSinceEpoch
            + min(max(seconds, -century), century) * 1_000_000_000
    }
}

/// A response has the status and body of an expired token.
struct DeclaredExpiry: Error {}

/// Why a declared app's token design gives up a call.
enum DeclaredTokenError: LabelledError {
    /// No user is signed in, or another one than when the call was made.
    case signedOut
    /// The call got the expired response again, with a new token.
    case expiredAgain
    /// The refresh failed.
    case refreshFailed(Failure)
    /// The refresh brought a token, but not how long it lives.
    case noLifetime

    /// Why a refresh failed.
    enum Failure: String, Sendable {
        /// The refresh token is not accepted any more.
        case dead
        /// Any other refusal.
        case refused
        /// The connection was lost.
        case lost
        /// There was no token in the response.
        case unreadable

        /// The case in which the calls that wait for it get no response.
        var forgotten: DeclaredTokenDesign.Forgotten? {
            switch self {
            case .lost: .refreshLost
            case .unreadable: .refreshUnreadable
            case .dead, .refused: nil
            }
        }
    }

    var label: String {
        switch self {
        case .signedOut: "tokens.signedOut"
        case .expiredAgain: "tokens.expiredAgain"
        case .refreshFailed(let failure): "tokens.refreshFailed.\(failure.rawValue)"
        case .noLifetime: "tokens.noLifetime"
        }
    }
}
