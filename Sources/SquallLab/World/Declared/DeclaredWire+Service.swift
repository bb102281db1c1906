import SquallApps
import SquallServices

// What a client of a declared service knows of it: the same facts in the client's words.

extension DeclaredWire {
    init(_ form: TokenForm) {
        self.init(
            access: Place(form.access), logIn: Call(form.logIn), refresh: Call(form.refresh),
            delivery: Delivery(form.delivery), expired: Refusal(form.expired),
            signedOut: Refusal(form.signedOut))
    }
}

extension DeclaredWire.Place {
    fileprivate init(_ place: TokenPlace) {
        switch place {
        case .header(let name, let scheme): self = .header(name, scheme: scheme)
        case .query(let name): self = .query(name)
        case .cookie(let name): self = .cookie(name)
        case .body(let name): self = .body(name)
        case .form(let name): self = .form(name)
        case .path(let name): self = .path(name)
        }
    }
}

extension DeclaredWire.Call {
    fileprivate init(_ call: TokenCall) {
        self.init(
            call.method, call.path, token: DeclaredWire.Place(call.token),
            showsAccess: call.showsAccess)
    }
}

extension DeclaredWire.Delivery {
    fileprivate init(_ delivery: TokenDelivery) {
        switch delivery {
        case .json(let access, let refresh, let lifetime):
            self = .json(access: access, refresh: refresh, lifetime: lifetime)
        case .cookies(let access, let refresh): self = .cookies(access: access, refresh: refresh)
        }
    }
}

extension DeclaredWire.Refusal {
    fileprivate init(_ refusal: TokenRefusal) { self.init(refusal.status, refusal.body) }
}
