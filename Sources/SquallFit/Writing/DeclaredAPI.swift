/// The app and the service that a profile declares: endpoints, screens that call them, journeys.
struct DeclaredAPI: Sendable {
    /// The app's name.
    static let app: ProfileValue = "app"
    /// The origin where none is known.
    static let exampleOrigin = "https://api.example.com"

    var origin = exampleOrigin
    /// Settings of the service beside origin and endpoints.
    var settings: [ProfileValue.Member]
    var endpoints: [Endpoint]
    /// Objects that responses share, by the names that stand for them there.
    var objects: [ProfileValue.Member] = []
    var screens: [ProfilePart] = []
    var journeys: [Journey] = []

    /// An endpoint.
    struct Endpoint: Sendable {
        var name: String
        var method = "GET"
        var path: String
        var needsToken = true
        var bytes: Int64 = 1_000
        var rows: Int64?
        /// The paging of its list, and the number of objects in the list.
        var list: ProfileValue?
        /// True if the number of objects of a page is not known.
        var isSizeAssumed = false
        var requestBytes: Int64?
        var request: ProfileValue?
        var response: ProfileValue?
        var errors: [ProfileValue] = []
        /// The names that lead to the members of its list's objects, from outside in.
        var rowMembers: [[String]] = []
        /// The variables of its path that name an object of a list.
        var picks: [ProfileValue] = []
        /// True if it sends browsers on to a page.
        var isRedirect = false
        /// The app's reading of its response, where that is no JSON.
        var reads: String?
        /// The law of its service time.
        var serviceTime: ProfileValue?
        var remark = ""

        fileprivate var part: ProfilePart {
            ProfilePart(
                nil,
                [
                    "name": "\(name)", "method": method == "GET" ? nil : "\(method)",
                    "path": "\(path)", "needsToken": needsToken ? nil : false,
                    "bytes": response != nil && bytes == 1_000 ? nil : ProfileValue(bytes),
                    "rows": rows.map { ProfileValue($0) }, "list": list,
                    "requestBytes": requestBytes.map { ProfileValue($0) },
                    "serviceTime": serviceTime, "request": request,
                    "picks": picks.isEmpty ? nil : ProfileValue(picks), "response": response,
                    "errors": errors.isEmpty ? nil : ProfileValue(errors),
                ], comment: remark)
        }

        /// The setting of a list that is asked for in a way.
        static func list(by paging: String, of objects: Int64 = 1_000) -> ProfileValue {
            ["by": "\(paging)", "objects": ProfileValue(objects)]
        }
    }

    /// A journey over screens, each with its probability.
    struct Journey: Sendable {
        var name: String
        var about: String?
        var steps: [(screen: String, probability: Double)]

        /// Its members.
        var members: [ProfileValue.Member] {
            let steps = steps.map { screen, probability -> ProfileValue in
                probability == 1
                    ? "\(screen)"
                    : ["screen": "\(screen)", "probability": .init(floatLiteral: probability)]
            }
            return [
                ("name", "\(name)"), ("about", about.map { "\($0)" }),
                ("steps", ProfileValue(steps)),
            ]
        }
    }

    /// A screen of groups of calls, each as ``call(_:isNext:reads:times:)`` writes it.
    static func screen(_ name: String, _ groups: [[ProfileValue]]) -> ProfilePart {
        ProfilePart(
            nil, ["name": "\(name)", "calls": ProfileValue(groups.map { ProfileValue($0) })])
    }

    /// A call of a screen: the name of an endpoint, or an object if there is more to say.
    static func call(
        _ endpoint: String, isNext: Bool = false, reads: String? = nil, times: Int = 1
    ) -> ProfileValue {
        guard isNext || reads != nil || times > 1 else { return "\(endpoint)" }
        return [
            "endpoint": "\(endpoint)", "page": isNext ? "next" : nil,
            "reads": reads.map { "\($0)" },
            "times": times > 1 ? ProfileValue(times) : nil,
        ]
    }

    /// A setting that names a call about tokens, with the place of its token.
    static func tokenCall(
        _ key: String, method: String, path: String, token: ProfileValue? = nil
    ) -> ProfileValue.Member {
        (key, ["method": "\(method)", "path": "\(path)", "token": token])
    }

    /// A GET has no body, so it shows its token in a header.
    static let tokenHeader: ProfileValue = ["header": ["name": "Refresh"]]
}

/// The parts of the profile.
extension DeclaredAPI {
    /// The comments on the parts of the app.
    typealias AppComments = (tokens: String, designs: String, screens: String, journeys: String)

    /// The section "apps".
    func apps(tokens: [ProfileValue.Member], journeys: [ProfilePart], _ comments: AppComments)
        -> ProfilePart
    {
        let naive: ProfileValue = [
            "name": "naive", "tokens": ["singleFlight": false, "refreshesLate": true],
        ]
        return .list(
            "apps", isApart: true,
            [
                .object(
                    nil,
                    [
                        ProfilePart("name", Self.app),
                        ProfilePart("tokens", ProfileValue(tokens), comment: comments.tokens),
                        .list("designs", comment: comments.designs, [ProfilePart(nil, naive)]),
                        .list("screens", comment: comments.screens, screens),
                        .list("journeys", comment: comments.journeys, journeys),
                    ])
            ])
    }

    /// The section "service" of the backend.
    func service(comment: String, isApart: Bool = false) -> ProfilePart {
        .object(
            "service", comment: comment, isApart: isApart,
            [ProfilePart("origin", "\(origin)")]
                + ProfilePart.lines(settings)
                + (objects.isEmpty
                    ? []
                    : [.object("objects", comment: Self.objectsRemark, ProfilePart.lines(objects))])
                + [.list("endpoints", endpoints.map(\.part))])
    }

    private static let objectsRemark = """
        What responses have in common: {{Name}} in a response stands for one of these, and
        {{number}} for the number of the object.
        """

    /// The section "thresholds"; only tokens can end a session.
    static func thresholds(comment: String, hasTokens: Bool = true) -> ProfilePart {
        .object(
            "thresholds", comment: comment, isApart: true,
            [ProfilePart("hangs", ["count==0"])]
                + (hasTokens ? [ProfilePart("sessions_lost", ["count==0"])] : [])
                + [
                    ProfilePart(
                        "step_failed", ["rate<0.05"],
                        comment: hasTokens ? "" : "No call needs a token."),
                    ProfilePart("step_duration", ["p(95)<2s"]),
                ])
    }
}
