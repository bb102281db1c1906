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

    /// `GET /v1/auth/refresh`: a new access token, and a new refresh token where it rotates.
    mutating func refresh(_ request: URLRequest, at now: Instant) -> Answer {
        let users = users
        let refreshed = tokens.refresh(
            access: request.value(forHTTPHeaderField: "Authorization") ?? "",
            refresh: request.value(forHTTPHeaderField: "Refresh") ?? "", at: now,
            isKnown: users.contains)
        switch refreshed {
        case .failure(.unverifiable): return .refused(.unverifiableToken)
        case .failure(.unknownUser): return .refused(.forbidden)
        case .failure(.expired): return .refused(.refreshTokenExpired)
        case .failure(.early): return .refused(.accessTokenNotExpired)
        case .success(let tokens):
            var writer = JSONWriter()
            writer.object { object in
                object.member("accessToken", tokens.access)
                if let refresh = tokens.refresh { object.member("refreshToken", refresh) }
            }
            return .ok(writer.body)
        }
    }
}
