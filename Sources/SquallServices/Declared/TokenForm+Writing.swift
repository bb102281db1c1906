public import SquallFormat
public import SquallHTTP

extension TokenForm {
    /// The settings of a profile's `backend.service` that give this form, without those that have
    /// their defaults.
    public var settings: [(key: String, value: JSON)] {
        var all: [(key: String, value: JSON)] = [
            ("token", access.setting), ("logIn", logIn.setting), ("refresh", refresh.setting),
            ("logOut", logOut.setting), ("delivery", delivery.setting),
        ]
        if !tellsType { all.append(("tokenType", .bool(false))) }
        if let signInDelivery { all.append(("signInDelivery", signInDelivery.setting)) }
        if let csrf {
            all.append(
                (
                    "csrf",
                    [
                        "header": .string(csrf.header), "access": .string(csrf.access),
                        "refresh": .string(csrf.refresh),
                    ]
                ))
        }
        if let claims {
            all.append(
                (
                    "jwt",
                    [
                        "subject": .string(claims.subject), "issuedAt": .bool(claims.hasIssue),
                        "refreshTokens": .bool(claims.ofRefresh),
                    ]
                ))
        }
        return all
    }
}

extension TokenCall {
    fileprivate var setting: JSON {
        var members: [String: JSON] = [
            "method": .string(method.rawValue), "path": .string(target), "token": token.setting,
            "showsAccess": .bool(showsAccess), "body": isForm ? "form" : "json",
            "fields": .array(fields.map { .string($0.text) }),
        ]
        if name == "logIn" {
            members["userField"] = .string(userField)
            members["passwordField"] = .string(passwordField)
        }
        if status != 200 { members["status"] = .integer(Int64(status)) }
        return .object(members)
    }
}

extension TokenPlace {
    fileprivate var setting: JSON {
        switch self {
        case .header(let name, let scheme): ["header": .field(name, scheme)]
        case .query(let name): ["query": .string(name)]
        case .cookie(let name): ["cookie": .string(name)]
        case .body(let name): ["body": .string(name)]
        case .form(let name): ["form": .string(name)]
        case .path(let name): ["path": .string(name)]
        }
    }
}

extension TokenDelivery {
    fileprivate var setting: JSON {
        var all: [String: JSON] = [:]
        if let lifetime { all["lifetime"] = .string(lifetime) }
        if tellsMilliseconds { all["lifetimeUnit"] = "milliseconds" }
        if let node = try? JSONParser.parse(Array(members.utf8)) { all["members"] = JSON(node) }
        switch (access, refresh) {
        case (.member(let access), .member(let refresh)):
            all["access"] = .string(access)
            all["refresh"] = .string(refresh)
            return ["json": .object(all)]
        case (.member(let access), nil):
            all["access"] = .string(access)
            all["refresh"] = ""
            return ["json": .object(all)]
        default:
            all["access"] = access.setting
            if let refresh { all["refresh"] = refresh.setting }
            return ["each": .object(all)]
        }
    }
}

extension TokenDelivery.Place {
    fileprivate var setting: JSON {
        switch self {
        case .member(let name): ["member": .string(name)]
        case .cookie(let name): ["cookie": .string(name)]
        case .header(let name, let scheme): ["header": .field(name, scheme)]
        case .body(let isJSON): ["body": isJSON ? "json" : "text"]
        }
    }
}

extension JSON {
    fileprivate static func field(_ name: String, _ scheme: String?) -> JSON {
        var members: [String: JSON] = ["name": .string(name)]
        if let scheme { members["scheme"] = .string(scheme) }
        return .object(members)
    }
}
