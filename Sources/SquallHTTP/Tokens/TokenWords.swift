/// Words that the paths of calls about tokens have in real APIs, as ``plain(_:)`` writes them.
public enum TokenWords {
    /// Parts of the paths of calls that refresh.
    public static let refresh = ["refresh", "reissue", "renew"]
    /// Parts of the paths of calls that sign in.
    public static let logIn = ["login", "signin", "/sessions"]
    /// Parts of the paths of calls that sign out.
    public static let logOut = ["logout", "signout", "logoff", "signoff"]
    /// Parts of the paths of calls that do something else with a password or a token.
    public static let others =
        logOut + [
            "reset", "forgot", "change", "revoke", "confirm", "invite", "introspect", "password",
        ]
    /// The other words in the paths of calls about tokens.
    private static let about = [
        "token", "/auth/", "oauth", "authent", "authori", "session", "jwt", "login", "signin",
        "account", "identity", "user",
    ]
    private static let common: Set<String> = ["api", "rest", "app", "mobile", "public", "web"]

    /// A path with each word in one: `/users/sign_in`, `/users/sign-in` and `/users/signIn` are
    /// `/users/signin`.
    public static func plain(_ path: String) -> String {
        path.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// True for the path of a refresh of tokens, and not of a feed or a subscription.
    public static func isRefresh(_ path: String) -> Bool {
        let path = plain(path)
        guard refresh.contains(where: path.contains) else { return false }
        if about.contains(where: path.contains) { return true }
        let own = path.split(separator: "/").filter {
            !common.contains(String($0))
                && !($0.first == "v" && $0.dropFirst().allSatisfy(\.isNumber))
        }
        return own.count == 1
    }

    /// True for the path of a sign-in.
    public static func isLogIn(_ path: String) -> Bool {
        logIn.contains(where: plain(path).contains)
    }

    /// True for a call that issues tokens, by its name.
    public static func isAboutTokens(_ path: String, _ method: String) -> Bool {
        let plain = plain(path)
        return method != "DELETE" && method != "HEAD" && !plain.contains(".js")
            && (isRefresh(path) || plain.contains("/token") || method == "POST" && isLogIn(path))
    }
}
