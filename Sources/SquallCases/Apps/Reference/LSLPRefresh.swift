import SquallClient
import SquallHTTP

/// The request for new tokens.
struct LSLPRefresh: Sendable {
    private let url: WebURL
    private let key: String

    private init(origin: String, path: String, key: String) {
        url = WebURL(origin: origin, path: path)
        self.key = key
    }

    /// The request to the server of 2024.
    static func year2024(key: String) -> LSLPRefresh {
        LSLPRefresh(origin: LSLP.origin2024, path: "/v1/auth/refresh", key: key)
    }

    /// The request to the server of 2023.
    static func year2023(key: String) -> LSLPRefresh {
        LSLPRefresh(origin: LSLP.origin2023, path: "/refresh", key: key)
    }

    /// Gets new tokens; where the response has no refresh token, the old one stays.
    ///
    /// - Throws: `AFError` for any response without a new token.
    func newPair(for pair: TokenPair, through session: Session) async throws -> TokenPair {
        let headers: HTTPHeaders = [
            "SesacKey": key, "Authorization": pair.access, "Refresh": pair.refresh,
        ]
        let answer = try await session.request(URLRequest(url: url, headers: headers))
            .validate(statusCode: ReferenceSessions.acceptedStatuses)
            .serializingDecodable(LSLPRefreshAnswer.self).value
        return TokenPair(access: answer.access, refresh: answer.refresh ?? pair.refresh)
    }
}

/// The response to a refresh: the access token is called `accessToken` in 2024, `token` in 2023.
private struct LSLPRefreshAnswer: Decodable, Sendable {
    let access: String
    let refresh: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken, token, refreshToken
    }

    init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: CodingKeys.self)
        access =
            try answer.decodeIfPresent(String.self, forKey: .accessToken)
            ?? answer.decode(String.self, forKey: .token)
        refresh = try answer.decodeIfPresent(String.self, forKey: .refreshToken)
    }
}
