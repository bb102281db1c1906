import SquallFormat
import SquallHTTP
public import SquallServices

extension ServiceAccess {
    /// Lines for a shell: sign in, call with the token, meet its expiry, refresh; in this order.
    public func curlLines(
        base: String, _ credentials: (email: String, password: String)
    ) -> [String] {
        let signIn = signInLine(base: base, credentials)
        var lines = [form.signInWay.isInBody ? "TOKENS=$(\(signIn)); echo \"$TOKENS\"" : signIn]
        if let example {
            let call = curl(example.method, base + example.target, [(form.access, accessName)])
            lines += [call, "curl -s -X POST \"\(base)/_squall/expire\"; \(call)"]
        }
        var place = form.refresh.token
        if form.refresh.isForm, case .body(let name) = place { place = .form(name) }
        var shown = [(place, refreshName)]
        if form.refresh.showsAccess { shown.append((form.access, accessName)) }
        if form.hasRefreshTokens {
            let fields = form.refresh.isForm ? form.refresh.fields : []
            let shownFields = fields.map {
                " --data-urlencode " + "\($0.name)=\($0.value)".quotedForShell
            }
            lines.append(
                curl(form.refresh.method, base + form.refresh.target, shown)
                    + shownFields.joined())
        }
        return lines
    }

    private func signInLine(
        base: String, _ credentials: (email: String, password: String)
    ) -> String {
        let call = form.logIn
        var request = URLRequest(url: WebURL(origin: "", path: call.path), method: call.method)
        call.show(email: credentials.email, password: credentials.password, in: &request)
        let body = String(decoding: request.body.bytes, as: UTF8.self)
        let type = request.headers["Content-Type"] ?? "application/json"
        let setsCookies = [form.signInWay.access, form.signInWay.refresh].contains {
            if case .cookie? = $0 { true } else { false }
        }
        return curl(call.method, base + call.target)
            + " -H 'Content-Type: \(type)' -d \(body.quotedForShell)"
            + (setsCookies ? " -c squall-cookies.txt" : "")
    }

    private var accessName: String? { name(of: form.signInWay.access) }

    private var refreshName: String? { form.signInWay.refresh.map(name) ?? "" }

    /// What stands before a token in the answer to a sign-in, as an expression of grep; with the
    /// names of the objects around it where its own is that of both tokens; `nil` for a token that
    /// is the whole answer.
    private func name(of place: TokenDelivery.Place) -> String? {
        if case .body = place { return nil }
        let names = place.name.split(separator: ".").map { "\"\($0)\"" }
        let way = form.signInWay
        guard way.refresh?.lastName == way.access.lastName else { return names.last ?? "" }
        return names.joined(separator: #" *: *\{[^}]*"#)
    }

    /// A call that shows tokens at places; each by its name in the answer to the sign-in.
    private func curl(
        _ method: HTTPMethod, _ url: String, _ shown: [(TokenPlace, String?)] = []
    ) -> String {
        var (url, words) = (url, headers.map { "-H " + "\($0.name): \($0.value)".quotedForShell })
        for (place, name) in shown {
            // The first of that name: others lie deeper, in objects of their own.
            let token =
                name.map {
                    "$(echo \"$TOKENS\" | grep -oE '\($0) *: *\"[^\"]*\"' | head -n 1"
                        + " | sed -E 's/.*\"(.*)\"$/\\1/')"
                } ?? "$(echo \"$TOKENS\" | tr -d '\"')"
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

extension TokenDelivery.Place {
    /// The name without those of the objects around it.
    fileprivate var lastName: String { name.split(separator: ".").last.map(String.init) ?? name }
}
