import SquallFormat
import SquallHTTP
public import SquallServices

extension ServiceAccess {
    /// Lines for a shell: sign in, call with the token, meet its expiry, refresh; in this order.
    public func curlLines(
        base: String, _ credentials: (email: String, password: String)
    ) -> [String] {
        let body = #"{"email":"\#(credentials.email)","password":"\#(credentials.password)"}"#
        let signIn =
            curl(form.logIn.method, base + form.logIn.path)
            + " -H 'Content-Type: application/json' -d \(body.quotedForShell)"
        var lines: [String] = []
        switch form.delivery {
        case .json: lines.append("TOKENS=$(\(signIn)); echo \"$TOKENS\"")
        case .cookies: lines.append("\(signIn) -c squall-cookies.txt")
        }
        if let example {
            let call = curl(example.method, base + example.target, [(form.access, accessName)])
            lines += [call, "curl -s -X POST \"\(base)/_squall/expire\"; \(call)"]
        }
        var shown = [(form.refresh.token, refreshName)]
        if form.refresh.showsAccess { shown.append((form.access, accessName)) }
        lines.append(curl(form.refresh.method, base + form.refresh.path, shown))
        return lines
    }

    private var accessName: String {
        switch form.delivery {
        case .json(let access, _, _), .cookies(let access, _): access
        }
    }

    private var refreshName: String {
        switch form.delivery {
        case .json(_, let refresh, _), .cookies(_, let refresh): refresh
        }
    }

    /// A call that shows tokens at places; each by its name in the answer to the sign-in.
    private func curl(
        _ method: HTTPMethod, _ url: String, _ shown: [(TokenPlace, String)] = []
    ) -> String {
        var (url, words) = (url, headers.map { "-H " + "\($0.name): \($0.value)".quotedForShell })
        for (place, name) in shown {
            let token = "$(echo \"$TOKENS\" | sed -E 's/.*\"\(name)\" *: *\"([^\"]*)\".*/\\1/')"
            switch place {
            case .header(let field, let scheme):
                words.append("-H \"\(field): \(scheme.map { $0 + " " } ?? "")\(token)\"")
            case .query(let key): url += (url.contains("?") ? "&" : "?") + "\(key)=\(token)"
            case .cookie: words.append("-b squall-cookies.txt -c squall-cookies.txt")
            case .body(let key):
                words.append(
                    "-H 'Content-Type: application/json' -d \"{\\\"\(key)\\\":\\\"\(token)\\\"}\"")
            case .form(let key): words.append("--data-urlencode \"\(key)=\(token)\"")
            case .path(let key): url = url.replacing("{\(key)}", with: token)
            }
        }
        let verb = method == .get ? "" : "-X \(method.rawValue) "
        return (["curl -s \(verb)\"\(url)\""] + words).joined(separator: " ")
    }
}
