/// Names that calls about tokens have in real APIs, in lower case and of letters only, the most
/// usual first: by the token servers and the documents that were tried.
public enum TokenNames {
    /// Members of a sign-in that name the account.
    public static let users = [
        "username", "email", "login", "user", "usernameoremail", "emailorusername", "phone",
        "phonenumber", "identifier", "account", "userid", "loginid", "useremail", "mobile",
        "emailaddress", "handle", "name",
    ]
    /// Members of a sign-in that have its password.
    public static let passwords = [
        "password", "passwd", "pass", "plainpassword", "pwd", "pin", "secret",
    ]
    /// What a response calls the access token.
    public static let access = [
        "accesstoken", "accessjwt", "accesstokencookie", "token", "access", "jwt", "authtoken",
        "authenticationtoken", "sessiontoken", "bearertoken", "jwttoken", "apitoken", "idtoken",
        "session", "sessionid", "authorization", "key", "bearer",
    ]
    /// What a response calls the refresh token.
    public static let refresh = [
        "refreshtoken", "refresh", "refreshjwt", "renewaltoken", "renewtoken",
    ]
    /// Members that a refresh may have the refresh token in, as they are written.
    public static let refreshMembers = ["refresh_token", "refreshToken", "refresh", "token"]
    /// What a response calls the access token's life in seconds.
    public static let lifetimes = [
        "expiresin", "expiresinseconds", "accesstokenexpiresin", "tokenexpiresin", "ttl",
        "lifetime", "expiry",
    ]
    /// What a response calls the access token's life in milliseconds.
    public static let lifetimesInMilliseconds = [
        "expiresinms", "expiresinmilliseconds", "expiresinmillis",
    ]
    /// What a response calls the refresh token's life.
    public static let refreshLifetimes = [
        "refreshexpiresin", "refreshtokenexpiresin", "refreshtokenlifetime", "refreshtokenttl",
    ]
    /// What a response calls the moment at which the access token ends.
    public static let ends = [
        "expiresat", "accesstokenexpiresat", "accessexpiresat", "tokenexpiresat", "expires",
        "accesstokenexpires", "expiry", "expirydate", "expiration", "expirationdate",
        "expirationtime", "validuntil", "tokenexpiration", "tokenexpiry",
    ]

    /// Grants by which a client of the service signs in for itself, not for a person: RFC 6749
    /// §4.4, RFC 7523 and RFC 7522, and RFC 8693.
    public static let grantsOfClients = [
        "client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "urn:ietf:params:oauth:grant-type:saml2-bearer",
        "urn:ietf:params:oauth:grant-type:token-exchange",
    ]

    /// Errors of a refresh that say nothing of its token: RFC 6749 §5.2 and RFC 8707 §2.
    ///
    /// `invalid_request` is none of them: some services mean the token by it.
    public static let errorsOfRequests = [
        "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
        "invalid_target",
    ]

    /// A name as it stands in these lists.
    public static func word(_ name: some StringProtocol) -> String {
        name.lowercased().filter(\.isLetter)
    }
}
