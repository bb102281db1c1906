internal import HTTP
internal import Kernel

/// Signing in and refreshing.
extension Contract {
    /// `POST /v1/users/login`: both tokens.
    mutating func logIn(_ request: URLRequest, at now: Instant) -> Answer {
        guard let login = RequestBody.read(RequestBody.Login.self, from: request.body),
            let email = login.email, let password = login.password
        else { return .refused(.missingValues) }
        guard let user = users.user(withEmail: email), users.password(user) == password else {
            return .refused(.unknownAccount)
        }
        let access = tokens.issue(.access, to: user, at: now)
        let refresh = tokens.issue(.refresh, to: user, at: now)
        var writer = JSONWriter()
        writer.object { object in
            object.member("user_id", users.id(user))
            object.member("email", email)
            object.member("nick", users.nick(user))
            object.member("accessToken", access.token)
            object.member("refreshToken", refresh.token)
        }
        return .ok(writer.body)
    }

    /// `GET /v1/auth/refresh`: a new access token, also when the old one is still good.
    mutating func refresh(_ request: URLRequest, at now: Instant) -> Answer {
        let old = request.value(forHTTPHeaderField: "Authorization") ?? ""
        let refresh = request.value(forHTTPHeaderField: "Refresh") ?? ""
        let judgement = tokens.judge(refresh, as: .refresh, at: now)
        guard tokens.judge(old, as: .access, at: now) != .unverifiable,
            judgement != .unverifiable
        else { return .refused(.unverifiableToken) }
        guard case .valid(let user) = judgement else { return .refused(.refreshTokenExpired) }
        guard users.contains(user) else { return .refused(.forbidden) }
        let token = tokens.issue(.access, to: user, at: now).token
        var writer = JSONWriter()
        writer.object { $0.member("accessToken", token) }
        return .ok(writer.body)
    }
}
