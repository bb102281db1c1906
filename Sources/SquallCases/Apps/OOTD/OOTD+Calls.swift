import SquallHTTP

/// The calls of OOTD that one of its screens makes, in the paths of the 2023 server.
extension AppCall<OOTD> {
    static var refresh: AppCall { AppCall(.refresh, .get, "/refresh") }
    static var createPost: AppCall { AppCall(.createPost, .post, "/post") }

    static func join(email: String, password: String, nick: String) -> AppCall {
        let account = ["email": email, "password": password, "nick": nick]
        return AppCall(.join, .post, "/join", body: .json(account))
    }

    static func validateEmail(_ email: String) -> AppCall {
        AppCall(.validateEmail, .post, "/validation/email", body: .json(["email": email]))
    }

    static func login(email: String, password: String) -> AppCall {
        AppCall(.login, .post, "/login", body: .json(["email": email, "password": password]))
    }

    static func posts(next: String) -> AppCall {
        AppCall(
            .posts, .get, "/post", query: ["next": next, "limit": "10", "product_id": OOTD.product])
    }

    /// The call as a request; the interceptor adds the tokens.
    var request: URLRequest {
        var headers: HTTPHeaders = ["SesacKey": LSLP.Key.ootd]
        if isOpen { headers.add(name: "Content-Type", value: "application/json") }
        let url = WebURL(origin: LSLP.origin2023, path: path, query: query)
        return URLRequest(url: url, method: method, headers: headers, body: body)
    }
}
