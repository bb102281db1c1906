import SquallFormat

/// The app and the service that a profile declares: endpoints, screens that call them, journeys.
struct DeclaredAPI: Sendable {
    /// The app's name.
    static let app = "app"
    /// The origin where nothing tells one.
    static let exampleOrigin = "https://api.example.com"

    var origin = exampleOrigin
    /// Settings of the service beside origin and endpoints, each a member of an object.
    var settings: [String]
    var endpoints: [Endpoint]
    var screens: [Screen] = []
    var journeys: [Journey] = []

    /// An endpoint.
    struct Endpoint: Sendable {
        var name: String
        var method = "GET"
        var path: String
        var needsToken = true
        var bytes: Int64 = 1_000
        var rows: Int?
        /// How its list is paged, and how many objects the list has.
        var paging: String?
        var objects = 1_000
        var requestBytes: Int64?
        /// The law of its service time, as profiles write it.
        var serviceTime: String?
        var remark = ""

        fileprivate var part: ProfilePart {
            var members = ["\"name\": \(name.quoted)"]
            if method != "GET" { members.append("\"method\": \(method.quoted)") }
            members.append("\"path\": \(path.quoted)")
            if !needsToken { members.append("\"needsToken\": false") }
            members.append("\"bytes\": \(bytes)")
            if let rows { members.append("\"rows\": \(rows)") }
            if let paging {
                members.append("\"list\": { \"by\": \(paging.quoted), \"objects\": \(objects) }")
            }
            if let requestBytes { members.append("\"requestBytes\": \(requestBytes)") }
            if let serviceTime { members.append("\"serviceTime\": \(serviceTime)") }
            return ProfilePart("{ \(members.joined(separator: ", ")) }", comment: remark)
        }
    }

    /// A screen: groups of calls, each as ``call(_:isNext:reads:times:)`` writes it.
    struct Screen: Sendable {
        var name: String
        var groups: [[String]]

        fileprivate var part: ProfilePart {
            let lists = groups.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ")
            return ProfilePart("{ \"name\": \(name.quoted), \"calls\": [\(lists)] }")
        }
    }

    /// A journey over screens, each with its probability.
    struct Journey: Sendable {
        var name: String
        var about: String?
        var steps: [(screen: String, probability: Double)]

        /// Its members.
        var members: [String] {
            let steps = steps.map { screen, probability in
                probability == 1
                    ? screen.quoted
                    : "{ \"screen\": \(screen.quoted), \"probability\": \(probability) }"
            }
            return ["\"name\": \(name.quoted)"] + (about.map { ["\"about\": \($0.quoted)"] } ?? [])
                + ["\"steps\": [\(steps.joined(separator: ", "))]"]
        }
    }

    /// A call of a screen: the name of an endpoint, or an object if there is more to say.
    static func call(
        _ endpoint: String, isNext: Bool = false, reads: String? = nil, times: Int = 1
    ) -> String {
        let more =
            (isNext ? ", \"page\": \"next\"" : "")
            + (reads.map { ", \"reads\": \($0.quoted)" } ?? "")
            + (times > 1 ? ", \"times\": \(times)" : "")
        return more.isEmpty ? endpoint.quoted : "{ \"endpoint\": \(endpoint.quoted)\(more) }"
    }

    /// A setting that names a call about tokens, and says in which way its token travels.
    static func tokenCall(
        _ key: String, method: String? = nil, path: String, token: String? = nil
    ) -> String {
        let members =
            [method.map { "\"method\": \($0.quoted)" }, "\"path\": \(path.quoted)"]
            + [token.map { "\"token\": { \($0) }" }]
        return "\(key.quoted): { \(members.compactMap(\.self).joined(separator: ", ")) }"
    }

    /// A GET has no body, so it shows its token in a header.
    static let tokenHeader = "\"header\": { \"name\": \"Refresh\" }"
}

/// The parts of the profile.
extension DeclaredAPI {
    /// The comments on the parts of the app.
    typealias AppComments = (tokens: String, designs: String, screens: String, journeys: String)

    /// The section "apps".
    func apps(tokens: String, journeys: [ProfilePart], _ comments: AppComments) -> ProfilePart {
        let naive = """
            { "name": "naive", "tokens": { "singleFlight": false, "refreshesLate": true } }
            """
        return .list(
            "apps", isApart: true,
            [
                .object(
                    nil,
                    [
                        ProfilePart("\"name\": \(Self.app.quoted)"),
                        ProfilePart("\"tokens\": { \(tokens) }", comment: comments.tokens),
                        .list("designs", comment: comments.designs, [ProfilePart(naive)]),
                        .list("screens", comment: comments.screens, screens.map(\.part)),
                        .list("journeys", comment: comments.journeys, journeys),
                    ])
            ])
    }

    /// The section "service" of the backend.
    func service(comment: String, isApart: Bool = false) -> ProfilePart {
        .object(
            "service", comment: comment, isApart: isApart,
            [ProfilePart("\"origin\": \(origin.quoted)")] + settings.map { ProfilePart($0) }
                + [.list("endpoints", endpoints.map(\.part))])
    }

    /// The section "thresholds"; only tokens can end a session.
    static func thresholds(comment: String, hasTokens: Bool = true) -> ProfilePart {
        .object(
            "thresholds", comment: comment, isApart: true,
            [ProfilePart("\"hangs\": [\"count==0\"]")]
                + (hasTokens ? [ProfilePart("\"sessions_lost\": [\"count==0\"]")] : [])
                + [
                    ProfilePart(
                        "\"step_failed\": [\"rate<0.05\"]",
                        comment: hasTokens ? "" : "No call needs a token."),
                    ProfilePart("\"step_duration\": [\"p(95)<2s\"]"),
                ])
    }
}
