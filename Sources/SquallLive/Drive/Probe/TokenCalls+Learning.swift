import SquallHTTP

/// Ways to call a service that are tried where none was told.
extension TokenCalls {
    /// A way to call a service, and the words that tell it.
    struct Way {
        let words: String
        let take: (inout TokenCalls) -> Void
    }

    /// Ways to sign in, the likeliest first, beside the present one.
    var signInWays: [Way] {
        guard open.contains(.signIn) else { return [] }
        let (isForm, name) = (form.logIn.isForm, form.logIn.userField)
        let others: [(Bool, String)] = [
            (isForm, name == "email" ? "username" : "email"), (!isForm, "username"),
            (!isForm, "email"), (false, "login"), (false, "user"),
        ]
        return others.filter { $0 != (isForm, name) }.map { isForm, name in
            Way(words: "the sign-in is \(isForm ? "a form" : "JSON") with \(name)") {
                ($0.form.logIn.isForm, $0.form.logIn.userField) = (isForm, name)
            }
        }
    }

    /// Ways to show the access token, beside the present one.
    var accessWays: [Way] {
        guard open.contains(.access) else { return [] }
        var places: [TokenPlace] = ["Token", "JWT", "Bearer"].map {
            .header("Authorization", scheme: $0)
        }
        places.append(.header("Authorization", scheme: nil))
        places += ["X-Access-Token", "X-Auth-Token", "Authentication-Token"].map {
            .header($0, scheme: nil)
        }
        return places.filter { $0 != form.access }.map { place in
            Way(words: "the access token is shown \(place.words)") { $0.form.access = place }
        }
    }

    /// Notes a way that worked, in place of an earlier guess about the same.
    mutating func take(_ way: Way, about part: Part) {
        open.remove(part)
        if part == .refresh { guesses.removeAll { $0.hasPrefix(Self.sentAs) } }
        guesses.append(way.words)
    }

    private static let sentAs = "the refresh token is sent as the member "

    /// Ways to show the refresh token, beside the present one.
    var refreshWays: [Way] {
        guard open.contains(.refresh) else { return [] }
        let present = form.refresh
        var ways = [
            Way(words: "the refresh token is shown as Authorization: Bearer") {
                $0.form.refresh.token = .header("Authorization", scheme: "Bearer")
            },
            Way(words: "a refresh shows the access token, too") {
                $0.form.refresh.showsAccess = true
            },
        ]
        let names = TokenNames.refreshMembers
        guard ![.get, .head].contains(present.method) else {
            return ways
                + names.map { name in
                    Way(words: "the refresh token stands in the address as \(name)") {
                        $0.form.refresh.token = .query(name)
                    }
                } + Self.headerWays
        }
        for name in names where present.token != .body(name) {
            ways.append(
                Way(words: Self.sentAs + name) { $0.form.refresh.token = .body(name) })
        }
        ways.append(
            Way(words: "the refresh is \(present.isForm ? "JSON" : "a form")") {
                $0.form.refresh.isForm = !present.isForm
            })
        return ways + Self.headerWays
    }

    private static var headerWays: [Way] {
        ["X-Refresh-Token", "Refresh-Token", "Refresh"].map { name in
            Way(words: "the refresh token is shown in the field \(name)") {
                $0.form.refresh.token = .header(name, scheme: nil)
            }
        }
    }

    /// Takes where tokens stand from the first refresh that brought them, where that is not known.
    mutating func learnRefresh(from pair: BroughtPair) {
        guard open.remove(.refreshed) != nil, pair.places.access != form.delivery.access else {
            return
        }
        form.signInDelivery = form.delivery
        form.delivery.access = pair.places.access
        form.delivery.refresh = pair.places.refresh
        guesses.append(
            "a refresh brings the access token as \(pair.places.access.name), a sign-in as"
                + " \(form.signInWay.access.name)")
    }

    /// Takes where tokens stand from a sign-in that brought them, where that is not known.
    mutating func learn(from pair: BroughtPair) {
        guard open.remove(.tokens) != nil else { return }
        form.delivery = pair.delivery
        form.claims = pair.claims
        form.signInDelivery = nil
        learnCookies(pair)
        guard grant == nil, case .body = form.refresh.token,
            case .member(let path)? = pair.places.refresh,
            let name = path.split(separator: ".").last.map(String.init)
        else { return }
        form.refresh.token = .body(name)
        if case .body = form.logOut.token { form.logOut.token = .body(name) }
        guesses.append(Self.sentAs + name)
    }

    private mutating func learnCookies(_ pair: BroughtPair) {
        var told: [String] = []
        if case .cookie(let name) = pair.places.access, open.contains(.access) {
            form.access = .cookie(name)
            told.append(name)
        }
        if case .cookie(let name)? = pair.places.refresh, open.contains(.refresh) {
            form.refresh.token = .cookie(name)
            form.logOut.token = .cookie(name)
            told.append(name)
        }
        guard !told.isEmpty else { return }
        guesses.append("tokens travel in the cookies \(told.joined(separator: " and "))")
        let guards = pair.guards.keys.sorted()
        guard form.csrf == nil, let any = guards.first else { return }
        let own = CSRFGuard(
            header: any == "csrftoken" ? "X-CSRFToken" : "X-CSRF-TOKEN",
            access: guards.first { $0.contains("access") } ?? any,
            refresh: guards.first { $0.contains("refresh") } ?? any,
            refused: TokenRefusal(403))
        form.csrf = own
        guesses.append(
            "requests that write repeat the cookie \(own.access) in \(own.header)")
    }
}

extension TokenPlace {
    /// Where a request shows a token, for people.
    var words: String {
        switch self {
        case .header(let name, let scheme): "as \(name): \(scheme.map { $0 + " " } ?? "")…"
        case .query(let name): "in the address as \(name)"
        case .cookie(let name): "in the cookie \(name)"
        case .body(let name): "as the member \(name)"
        case .form(let name): "as the form field \(name)"
        case .path: "at the end of the path"
        }
    }
}
