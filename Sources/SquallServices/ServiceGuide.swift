public import SquallFormat
import SquallBackend
import SquallHTTP

/// The guide to the services: endpoints with their verbs and paths, and what is special about them.
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
        "The endpoints of the backend, by the names that metrics, thresholds and faults use. Their"
        + " settings are in /backend of a profile (squall help profile). A profile may declare a"
        + " service of its own in /backend/service; squall new writes an example."
}

extension EndpointDescription {
    fileprivate var remark: String {
        switch role {
        case .ordinary: ""
        case .signIn: " · returns the tokens of a new session"
        case .refresh: " · exchanges an old access token for a new one"
        }
    }
}
