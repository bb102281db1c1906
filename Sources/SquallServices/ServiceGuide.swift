public import SquallFormat
import SquallBackend
import SquallHTTP

/// The services: endpoints with their verbs and paths, and what is special about them.
public enum ServiceGuide {
    /// The paragraphs, one for each service that has endpoints.
    public static var parts: Guide {
        let kinds = ServiceKind.all.filter { !$0.endpoints.isEmpty }
        return [(introduction, [])]
            + kinds.map { kind in
                let settings = kind.settings.map(\.key).joined(separator: ", ")
                let endpoints = kind.endpoints.map { endpoint in
                    (
                        endpoint.name,
                        "\(endpoint.method.rawValue) \(endpoint.path)\(endpoint.remark)"
                    )
                }
                return ("settings: \(settings)", endpoints)
            }
    }

    private static let introduction =
        "The endpoints of the backend. They are named so in metrics, thresholds and faults;"
        + " settings stand in /backend of a profile, see squall help profile. squall openapi"
        + " 2024 is the whole contract. A profile may declare a service of its own, in the"
        + " place of these: /backend/service. squall new writes one to begin with."
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
