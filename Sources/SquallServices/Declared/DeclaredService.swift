public import SquallBackend
public import SquallFormat
public import SquallHTTP
public import SquallKernel

/// Any API as a profile declares it: its endpoints, and how its tokens travel.
///
/// It is a ``TokenService`` with lists of objects of one size as responses, so it signs in,
/// refreshes and refuses as one; the profile's `backend.tokens` says how long tokens live and what
/// a refresh does to them.
public struct DeclaredService: Sendable {
    /// Where it answers, with scheme, host and port.
    public var origin: String
    /// How tokens travel, and the responses to bad ones.
    public var form: TokenForm { base.form }
    /// The form that was chosen, with what the profile changes of it, as a service.
    var base: TokenService
    /// Its calls beside those of its form; empty when a profile declares no service.
    public var endpoints: [DeclaredEndpoint]
    /// Objects that its responses share, by the names that stand for them there.
    public var objects: [String: JSON] = [:]

    /// A service of a form.
    init(origin: String, form: TokenForm, endpoints: [DeclaredEndpoint]) {
        (self.origin, base, self.endpoints) = (origin, TokenService(form), endpoints)
    }

    /// True if a profile declares a service.
    public var isDeclared: Bool { !endpoints.isEmpty }

    /// Its calls as profiles and results name them.
    public var calls: [EndpointDescription] { isDeclared ? tokenService.endpoints : [] }

    /// The time of the work on a call where its endpoint sets it, by its name.
    public var serviceTimes: [String: Distribution] {
        let told = endpoints.compactMap { end in end.serviceTime.map { (end.name, $0) } }
        return Dictionary(told) { first, _ in first }
    }

    var tokenService: TokenService {
        var service = base
        service.routes = endpoints.map { $0.route(objects) }
        service.name = "declared"
        (service.origin, service.otherOrigins) = (origin, [])
        fillMembers(of: &service)
        return service
    }
}

extension ServiceKind {
    /// The service that a profile declares, in place of those that this package brings.
    static let declared = ServiceKind(
        endpoints: [], settings: [DeclaredService.setting.checking],
        serviceTimes: { $0.declared.serviceTimes },
        origins: { $0.declared.isDeclared ? [$0.declared.origin] : [] }
    ) { plan, root in
        [plan.declared.tokenService.service(by: plan, root)]
    }

    /// The kinds in a plan's world: a declared service replaces the built-in ones, and one of
    /// another package on its origin.
    public static func mounted(by plan: ServicesPlan) -> [ServiceKind] {
        guard plan.declared.isDeclared else { return ownKinds }
        return [declared]
            + ownKinds.filter {
                !$0.yieldsToDeclared && !$0.origins(plan).contains(plan.declared.origin)
            }
    }

    /// The calls of a plan's services, as profiles and results name them.
    public static func endpoints(of plan: ServicesPlan) -> [EndpointDescription] {
        plan.declared.calls + mounted(by: plan).flatMap(\.endpoints)
    }
}

extension ServicesPlan {
    /// The service that a profile declares; one without calls if it declares none.
    public var declared: DeclaredService {
        get { self[DeclaredService.setting] }
        set { self[DeclaredService.setting] = newValue }
    }
}

extension DeclaredService {
    /// The service as a setting of a profile's backend.
    public static let setting = Setting(
        "service", format, otherwise: [:],
        "An API of your own in place of the built-in ones: its calls, and how its tokens travel.")

    /// The format of it in a profile.
    public static var format: SettingFormat<DeclaredService> {
        // Nothing is drawn from it: a drawn name would lead nowhere.
        SettingFormat.section { DeclaredService(&$0) }.described { $0.domain = .unknown }
    }

    private init(_ read: inout SettingsReader) {
        origin = read(
            "origin", .origin, otherwise: "https://api.example.com",
            "Where it is reached: scheme, host and port.")
        let name = read(
            "form", .words(TokenPreset.all.map(\.name)), otherwise: "bearer",
            "How tokens travel, but for what is said below: a form, or a token server by name.")
        base = TokenPreset.named(name)?.service ?? TokenService(.bearer)
        base.form = TokenForm(base.form, &read)
        base.take(&read)
        endpoints = read(
            "endpoints", .list(of: .section { DeclaredEndpoint(&$0) }, 0...2_000), otherwise: [],
            "Its calls beside those that have to do with tokens.")
        objects = read(
            "objects", .jsonObject, otherwise: [:],
            "Objects that responses have in common, by their names: {{Name}} in a response.")
        checkThatItAnswers(&read)
        checkResponses(&read)
        checkNames(&read)
        checkPicks(&read)
        checkRefusals(&read)
    }

    /// A section that is not empty declares a service, which needs a call to respond to.
    private func checkThatItAnswers(_ read: inout SettingsReader) {
        guard !read.keys.isEmpty, endpoints.isEmpty, read.isSound("endpoints") else { return }
        read.refuse(
            "endpoints",
            "must have at least one call, such as { \"name\": \"posts\", \"path\": \"/posts\" }:"
                + " a service needs a call")
    }

    /// Refuses a name, or a verb with a path, that two calls have.
    private func checkNames(_ read: inout SettingsReader) {
        var names = Set(form.calls.map(\.1.name))
        var calls = Set(form.calls.map { "\($0.1.method) \($0.1.path)" })
        for (index, endpoint) in endpoints.enumerated() {
            let path = read.path.appending("endpoints").appending(index)
            guard read.isSound(at: path) else { continue }
            if names.contains(endpoint.name) {
                read.refuse(
                    path.appending("name"), "\"\(endpoint.name)\" is taken by another call of it")
            }
            let call = "\(endpoint.method) \(endpoint.path)"
            if calls.contains(call) {
                let place = path.appending("path")
                read.report(at: place, "\(place): \(call) is another call of it already")
            }
            names.insert(endpoint.name)
            calls.insert(call)
        }
    }

    /// Refuses a variable that its path lacks, and a list that is no endpoint.
    private func checkPicks(_ read: inout SettingsReader) {
        let names = Set(endpoints.map(\.name))
        for (index, endpoint) in endpoints.enumerated() {
            let picks = read.path.appending("endpoints").appending(index).appending("picks")
            for (index, pick) in endpoint.picks.enumerated() {
                let place = picks.appending(index)
                guard read.isSound(at: place) else { continue }
                if !endpoint.path.contains("{\(pick.variable)}") {
                    let place = place.appending("variable")
                    read.report(
                        at: place,
                        "\(place): the path \(endpoint.path) has no {\(pick.variable)}")
                }
                if !names.contains(pick.list) {
                    let place = place.appending("list")
                    read.report(at: place, "\(place): no endpoint is called \"\(pick.list)\"")
                }
            }
        }
    }

    /// A client that cannot tell an expired token from a lost session cannot be right; where a call
    /// of its own refreshes, that call tells.
    private func checkRefusals(_ read: inout SettingsReader) {
        let (expired, signedOut) = (form.expired, form.signedOut)
        guard expired.status == signedOut.status, form.logIn.path == form.refresh.path,
            expired.body == signedOut.body || expired.statusAlone && signedOut.statusAlone,
            read.isSound("expired", "signedOut")
        else { return }
        read.refuse(
            "signedOut",
            "must differ from what an expired access token is answered, status \(expired.status)"
                + " with the same body")
    }
}
