import Foundation
import Squall
import SquallFormat
import SquallHTTP
import SquallServices
import Testing

/// The servers' own exchanges are in `Exchanges/token-servers.txt`, asked by plain HTTP calls.
///
/// Each line is a step, the status, the body with its members in order and `…` for tokens,
/// `WWW-Authenticate` in brackets, and the cookies that are set behind a plus sign.
@Suite("Token services by name")
struct TokenPresetTests {
    @Test(
        "A preset answers each call of the measured exchange as its server did",
        arguments: TokenPreset.all.filter(\.isMeasured).map(\.name))
    func replays(name: String) throws {
        let preset = try #require(TokenPreset.named(name))
        let measured = try #require(Self.exchanges[name])
        var service = preset.service
        // The servers were asked with tokens of three seconds where that could be set.
        if measured.contains(where: { $0.hasPrefix("me expired") }) {
            service.tokens.accessLifetimeNanoseconds = 3_000_000_000
            service.tokens.statedLifetimeNanoseconds = nil
        }
        service.routes = [.get("/me", json: "{}")]
        let script = ExchangeScript(service.form, steps: measured.map { $0.prefix { $0 != ":" } })
        let lines = Box<[String]>([])
        try simulate { [service] world in
            let far = world.mount(service)
            lines.value = try await script.play(far, expiry: .seconds(4))
        }
        for (line, expected) in zip(lines.value, measured) { #expect(line == expected) }
        #expect(lines.value.count == measured.count)
    }

    @Test("Names of presets are unique, and each names its source")
    func names() {
        let names = TokenPreset.all.map(\.name)
        #expect(Set(names).count == names.count && names.first == "bearer")
        for preset in TokenPreset.all { #expect(!preset.source.isEmpty && !preset.about.isEmpty) }
        #expect(Set(Self.exchanges.keys) == Set(TokenPreset.all.filter(\.isMeasured).map(\.name)))
    }

    /// The measured lines, by the presets' names.
    private static let exchanges: [String: [String]] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Exchanges/token-servers.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var all: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                name = String(line.dropFirst(2))
            } else {
                all[name, default: []].append(String(line))
            }
        }
        return all
    }()
}

/// The steps of a measured exchange, played against a service of a form.
private struct ExchangeScript: Sendable {
    let form: TokenForm
    let steps: [String]

    init(_ form: TokenForm, steps: [Substring]) {
        (self.form, self.steps) = (form, steps.map(String.init))
    }

    /// Tokens as a response brought them.
    struct Tokens: Sendable {
        var access, refresh: String
    }

    func play(_ far: MountedService, expiry: Duration) async throws -> [String] {
        var lines: [String] = []
        var (first, second): (Tokens?, Tokens?) = (nil, nil)
        for step in steps {
            if ["signOut", "me expired"].contains(step) {
                first = tokens(in: try await signIn(far), by: form.signInWay, old: nil)
            }
            if step == "me expired" { try await Task.sleep(for: expiry) }
            let response = try await answer(step, far, first, second)
            if step == "signIn" { first = tokens(in: response, by: form.signInWay, old: nil) }
            if step == "refresh" { second = tokens(in: response, by: form.delivery, old: first) }
            lines.append(line(step, response))
        }
        return lines
    }

    private func answer(
        _ step: String, _ far: MountedService, _ first: Tokens?, _ second: Tokens?
    ) async throws -> ServiceResponse {
        switch step {
        case "signIn": try await signIn(far)
        case "wrongPassword": try await signIn(far, password: "nope")
        case "missingAccount":
            try await far.send(form.logIn.method.rawValue, form.logIn.target)
        case "me", "me old", "me signedOut", "me expired": try await me(far, first?.access)
        case "me new": try await me(far, second?.access)
        case "me none": try await me(far, nil)
        case "me unknown": try await me(far, "made-up")
        case "me refreshToken": try await me(far, first?.refresh)
        case "refresh accessToken": try await refresh(far, first?.access, first?.access)
        case "refresh unknown": try await refresh(far, "made-up", first?.access)
        case "refresh none": try await refresh(far, nil, nil)
        case "refresh newest": try await refresh(far, second?.refresh, second?.access)
        case "refresh used": try await refresh(far, first?.refresh, second?.access)
        case "refresh", "refresh signedOut": try await refresh(far, first?.refresh, first?.access)
        case "signOut": try await signOut(far, first)
        default: throw URLError(.unsupportedURL)
        }
    }

    private func signIn(
        _ far: MountedService, password: String? = nil
    ) async throws -> ServiceResponse {
        let own = far.credentials()
        return try await send(far, form.logIn) {
            form.logIn.show(email: own.email, password: password ?? own.password, in: &$0)
        }
    }

    private func me(_ far: MountedService, _ access: String?) async throws -> ServiceResponse {
        try await send(far, TokenCall("me", .get, "/me", token: form.access)) { request in
            if let access { form.access.show(access, in: &request) }
        }
    }

    private func refresh(
        _ far: MountedService, _ token: String?, _ access: String?
    ) async throws -> ServiceResponse {
        try await send(far, form.refresh) { request in
            guard let token else { return form.refresh.write([], isForm: true, in: &request) }
            if form.refresh.showsAccess, let access { form.access.show(access, in: &request) }
            form.refresh.show(token, in: &request)
            form.showGuard(of: token, isAccess: false, [:], in: &request)
        }
    }

    private func signOut(_ far: MountedService, _ own: Tokens?) async throws -> ServiceResponse {
        let isAccess = form.logOut.token == form.access
        let token = (isAccess || own?.refresh == "" ? own?.access : own?.refresh) ?? ""
        return try await send(far, form.logOut) { request in
            form.logOut.show(token, in: &request)
            form.showGuard(of: token, isAccess: false, [:], in: &request)
        }
    }

    private func send(
        _ far: MountedService, _ call: TokenCall,
        _ fill: (inout SquallHTTP.URLRequest) -> Void
    ) async throws -> ServiceResponse {
        var request = SquallHTTP.URLRequest(
            url: WebURL(origin: "", path: call.path, query: call.query), method: call.method)
        fill(&request)
        return try await far.send(
            call.method.rawValue, call.target,
            headers: request.headers.map { ($0.name, $0.value) }, body: request.body.bytes)
    }

    private func tokens(
        in response: ServiceResponse, by way: TokenDelivery, old: Tokens?
    ) -> Tokens {
        let node = try? JSONParser.parse(response.body)
        func text(_ place: TokenDelivery.Place?) -> String? {
            switch place {
            case .member(let name)?:
                if case .string(let text)? = node?.member(at: name)?.value { text } else { nil }
            case .cookie(let name)?: cookies(response)[name]
            case .header?, .body?, nil: nil
            }
        }
        return Tokens(
            access: text(way.access) ?? "", refresh: text(way.refresh) ?? old?.refresh ?? "")
    }

    private func cookies(_ response: ServiceResponse) -> [String: String] {
        let set = response.headers.filter { $0.name == "Set-Cookie" }.map { field in
            field.value.prefix { $0 != ";" }.split(separator: "=").map(String.init)
        }
        return Dictionary(set.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    private func line(_ step: String, _ response: ServiceResponse) -> String {
        var line = "\(step): \(response.status)"
        let isData = step.hasPrefix("me") && response.status == 200
        if !response.body.isEmpty, !isData, let node = try? JSONParser.parse(response.body) {
            line += " \(JSON(hiding: node).line)"
        }
        if let challenge = response.headers.first(where: { $0.name == "WWW-Authenticate" }) {
            line += " [\(challenge.value)]"
        }
        let names = cookies(response).keys.sorted()
        return names.isEmpty ? line : "\(line) +\(names.joined(separator: ","))"
    }
}

extension JSON {
    /// Members that differ from one exchange of a real server to the next.
    private static let varying: Set = [
        "pk", "created_at", "at", "iat", "device_id", "expires_in_ms",
    ]

    /// A document with `…` for every text that may be a token, and 1 for what varies.
    fileprivate init(hiding node: JSONNode) {
        switch node.value {
        case .object(let members):
            let own = members.map {
                ($0.name, Self.varying.contains($0.name) ? 1 : JSON(hiding: $0.value))
            }
            self = .object(Dictionary(own) { $1 })
        case .array(let elements): self = .array(elements.map(JSON.init(hiding:)))
        case .string(let text)
        where text.count > 19 && text.wholeMatch(of: /[\w.-]{26,}|20\d\d[-\d]+T[\d:.]+Z/) != nil:
            self = "…"
        default: self.init(node)
        }
    }
}
