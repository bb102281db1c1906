import SquallFormat
import SquallHTTP
import SquallServices
import SquallSockets

/// Looks for the reason for which sign-ins bring no token: asks with the same account in the usual
/// ways.
///
/// A profile can be wrong in several settings at once, and a server names only the first.
struct SignInTrial {
    private let form: TokenForm
    private let place: String
    private let ask: (URLRequest) -> WireResponse?
    private let account: (name: String, password: String)

    /// A trial with the account that a refused sign-in shows; `nil` where it shows none.
    init?(
        _ refused: URLRequest, _ expected: ExpectedResponses,
        ask: @escaping (URLRequest) -> WireResponse?
    ) {
        guard let form = expected.form,
            let name = TokenPlace.body(form.logIn.userField).token(in: refused),
            let password = TokenPlace.body(form.logIn.passwordField).token(in: refused)
        else { return nil }
        (self.form, self.ask, place) = (form, ask, expected.place)
        account = (name, password)
    }

    /// A server may count sign-ins that fail.
    private static let waysMax = 16

    /// Names of the account's fields, and how they are written.
    private struct Way: Equatable {
        var user, password: String
        let isForm: Bool
    }

    /// The settings that a sign-in and a refresh need with this server, as `--set` takes them; and,
    /// where none of the usual ways brings a token, what the server said to the first.
    func settings(_ url: WebURL) -> (settings: [String], answer: String?) {
        let usual = form.logIn
        var first: WireResponse?
        let names = [usual.userField] + TokenNames.users.filter { $0 != usual.userField }
        var ways = names.prefix(4).flatMap { name in
            [usual.isForm, !usual.isForm].map {
                Way(user: name, password: usual.passwordField, isForm: $0)
            }
        }
        var next = 0
        while next < min(ways.count, Self.waysMax) {
            let way = ways[next]
            next += 1
            let call = call(way)
            var request = URLRequest(url: url, method: call.method)
            call.show(email: account.name, password: account.password, in: &request)
            guard let response = ask(request) else { continue }
            first = first ?? response
            // Neither another body nor another name helps where there is no such call.
            if [404, 405].contains(response.status) { return ([], answer(response)) }
            if (200...299).contains(response.status) {
                return (settings(for: call, response, url), nil)
            }
            let told = self.told(by: response, to: way).filter { !ways[..<next].contains($0) }
            ways.removeAll { told.contains($0) }
            ways.insert(contentsOf: told, at: next)
        }
        return ([], first.map(answer))
    }

    private func call(_ way: Way) -> TokenCall {
        var call = form.logIn
        (call.userField, call.passwordField, call.isForm) = (way.user, way.password, way.isForm)
        return call.withGrant("password")
    }

    /// The ways in which a refusal names other fields: it often says which are missing.
    private func told(by response: WireResponse, to way: Way) -> [Way] {
        let text = String(decoding: response.body.prefix(4_000), as: UTF8.self).lowercased()
        let words = Set(text.split { !($0.isLetter || $0 == "_") }.map(String.init))
        func names(_ known: [String], besides own: String) -> [String] {
            known.filter { $0 != own && words.contains($0) } + [own]
        }
        let users = names(TokenNames.users, besides: way.user)
        return names(TokenNames.passwords, besides: way.password).flatMap { password in
            users.map { Way(user: $0, password: password, isForm: way.isForm) }
        }.filter { $0 != way }
    }

    private func settings(
        for call: TokenCall, _ response: WireResponse, _ url: WebURL
    ) -> [String] {
        var new = form
        new.logIn = call
        var calls = TokenCalls(form)
        calls.open = [.tokens]
        guard let pair = BroughtPair(response.headers, response.body, of: calls) else {
            return changes(to: new)
        }
        if form.signInWay.access != pair.places.access
            || pair.refresh != nil && form.signInWay.refresh != pair.places.refresh
        {
            if form.signInDelivery == nil {
                new.delivery = pair.delivery
            } else {
                new.signInDelivery = pair.delivery
            }
        }
        if let token = pair.refresh, form.hasRefreshTokens,
            let call = refreshCall(token, beside: pair.access, url)
        {
            new.refresh = call
        }
        return changes(to: new)
    }

    /// The way to refresh, tried with a token that a sign-in brought.
    private func refreshCall(
        _ token: String, beside access: String, _ url: WebURL
    ) -> TokenCall? {
        let usual = form.refresh
        let places =
            [usual.token] + TokenNames.refreshMembers.map(TokenPlace.body) + [Self.bearer]
        for isForm in [usual.isForm, !usual.isForm] {
            for place in places {
                var call = usual
                (call.token, call.isForm) = (place, isForm)
                call = call.withGrant("refresh_token")
                let address = WebURL(origin: url.origin, path: call.path, query: call.query)
                var request = URLRequest(url: address, method: call.method)
                if call.showsAccess { form.access.show(access, in: &request) }
                call.show(token, in: &request)
                guard let response = ask(request) else { continue }
                if [404, 405].contains(response.status) { return nil }
                if (200...299).contains(response.status) { return call }
            }
        }
        return nil
    }

    private static let bearer = TokenPlace.header("Authorization", scheme: "Bearer")

    /// The settings that make another form of the profile's.
    private func changes(to new: TokenForm) -> [String] {
        let old = Self.settings(of: form)
        return Self.settings(of: new).filter { setting in !old.contains { $0 == setting } }.map {
            "\(place)\($0.path)=\($0.value.plain)"
        }
    }

    /// A call is set by its members, where tokens stand as a whole.
    private static func settings(of form: TokenForm) -> [(path: String, value: JSON)] {
        form.settings.flatMap { key, value -> [(path: String, value: JSON)] in
            guard key != "delivery", key != "signInDelivery", case .object(let members) = value
            else { return [(key, value)] }
            return members.sorted { $0.key < $1.key }.map { ("\(key).\($0.key)", $0.value) }
        }
    }

    private func answer(_ response: WireResponse) -> String {
        let text = String(decoding: response.body.prefix(2_000), as: UTF8.self)
        let shown = text.replacing(account.password, with: "…")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ").excerpt(200)
        if let place = response.redirect { return "\(response.status) to \(place)" }
        return "\(response.status)\(shown.isEmpty ? ", no body" : " \(shown)")"
    }
}

extension TokenCall {
    /// The call with a grant type if it is a form, as OAuth 2.0 asks.
    fileprivate func withGrant(_ grant: String) -> TokenCall {
        var call = self
        if isForm, !fields.contains(where: { $0.name == "grant_type" }) {
            call.fields.append(TokenField("grant_type", grant))
        }
        return call
    }
}

extension ServerDriver {
    /// So many sign-ins without a token are enough to know that none will come.
    static let fruitlessMax = 10

    /// The reason for which no sign-in brings a token, and the settings that would change that;
    /// `nil` where it did not stop for that.
    ///
    /// It asks the server a few times more.
    public func fruitlessSignIns() -> String? {
        guard let request = fruitless else { return nil }
        let title = "\(request.method.rawValue) \(request.url.path)"
        let head =
            "none of the first \(signIns) sign-ins (\(title)) brought a token, so no load was"
            + " sent"
        guard let trial = SignInTrial(request, setup.expected, ask: ask) else { return head }
        let (settings, answer) = trial.settings(request.url)
        guard settings.isEmpty else {
            return head + "; with this server a profile needs:\n"
                + settings.map { "  --set '\($0)'" }.joined(separator: "\n")
        }
        let place = setup.expected.place
        return head + "; it answered \(answer ?? "nothing"). Neither a form nor JSON with other"
            + " names of the account helped: are the accounts (--accounts), \(place)logIn.method,"
            + " .path and .fields right?"
    }

    /// Asks the server once more and waits for the response.
    private func ask(_ request: URLRequest) -> WireResponse? {
        var (result, isEnded): (WireResponse?, Bool) = (nil, false)
        let began = nanoseconds
        let drop = send(OutgoingRequest(request), at: began) {
            (result, isEnded) = (try? $0.get(), true)
        }
        while !isEnded, nanoseconds - began < 15_000_000_000 {
            wait(nanoseconds: 20_000_000)
            enter()
        }
        if !isEnded { drop() }
        return result
    }
}
