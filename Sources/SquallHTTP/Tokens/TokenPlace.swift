/// Where a token stands in a request.
public enum TokenPlace: Sendable, Hashable {
    /// In a header field, behind a word such as `Bearer` if there is one.
    case header(String, scheme: String?)
    /// In the address, as the value of a name.
    case query(String)
    /// In a cookie of that name.
    case cookie(String)
    /// In the body, as a member of a JSON object or a field of a form.
    case body(String)
    /// In the body, as a field of a form.
    case form(String)
    /// At the end of the path, where the call's path has this name in braces: `/renewals/{token}`.
    case path(String)
}
