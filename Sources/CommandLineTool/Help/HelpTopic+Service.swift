import SquallBackend
import SquallFormat
import SquallHTTP
import SquallServices

extension HelpTopic {
    /// The service: endpoints with their verbs and paths, and what is special about them.
    static let service = HelpTopic(name: "service") { _ in
        let intro =
            "What the backend answers. Endpoints are named so in metrics, thresholds and faults;"
            + " settings stand in /backend of a profile, see squall help profile. squall openapi"
            + " 2024 is the whole contract. A profile may declare a service of its own, in the"
            + " place of these: /backend/service. squall new writes one to begin with."
        let kinds = ServiceKind.all.filter { !$0.endpoints.isEmpty }.flatMap { kind -> [String] in
            let settings = kind.settings.map(\.key).joined(separator: ", ")
            let endpoints = kind.endpoints.map { endpoint in
                (endpoint.name, "\(endpoint.method.rawValue) \(endpoint.path)\(endpoint.remark)")
            }
            return [""] + Prose.lines("settings: \(settings)") + definitions(endpoints)
        }
        return (Prose.lines(intro) + kinds).lines
    }
}

extension EndpointDescription {
    fileprivate var remark: String {
        switch role {
        case .ordinary: ""
        case .signIn: " · brings the tokens of a new session"
        case .refresh: " · trades an old access token for a new one"
        }
    }
}
