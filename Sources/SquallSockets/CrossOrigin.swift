public import SquallHTTP

/// The header fields that let a page of another origin use the server, as an app in a browser is
/// one.
///
/// Its server decides which pages may, and which of them with the cookies of their user.
public enum CrossOrigin {
    /// The response to a request that a browser sends ahead of another one; `nil` for others.
    public static func preflight(
        _ request: URLRequest, allowsCredentials: Bool
    ) -> HTTPHeaders? {
        guard request.method == .options,
            let origin = request.value(forHTTPHeaderField: "Origin"),
            let method = request.value(forHTTPHeaderField: "Access-Control-Request-Method")
        else { return nil }
        var headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Methods": method,
            "Access-Control-Max-Age": "600", "Vary": "Origin",
        ]
        if allowsCredentials {
            headers.add(name: "Access-Control-Allow-Credentials", value: "true")
        }
        if let names = request.value(forHTTPHeaderField: "Access-Control-Request-Headers") {
            headers.add(name: "Access-Control-Allow-Headers", value: names)
        }
        if request.value(forHTTPHeaderField: "Access-Control-Request-Private-Network") != nil {
            headers.add(name: "Access-Control-Allow-Private-Network", value: "true")
        }
        return headers
    }

    /// The fields of a response, with those that let the page that asked read it.
    public static func opened(
        _ headers: HTTPHeaders, to request: URLRequest, allowsCredentials: Bool
    ) -> HTTPHeaders {
        guard let origin = request.value(forHTTPHeaderField: "Origin") else { return headers }
        var opened = headers
        let names = headers.map(\.name).joined(separator: ", ")
        opened.update(name: "Access-Control-Allow-Origin", value: origin)
        if allowsCredentials {
            opened.update(name: "Access-Control-Allow-Credentials", value: "true")
        }
        if !names.isEmpty {
            opened.update(name: "Access-Control-Expose-Headers", value: names)
        }
        let varies = opened["Vary"].map { $0 + ", Origin" } ?? "Origin"
        opened.update(name: "Vary", value: varies)
        return opened
    }
}
