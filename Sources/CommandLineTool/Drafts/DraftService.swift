import SquallFormat

/// The content of a starting profile: a service, and screens that call it.
struct DraftService: Equatable {
    /// The source of the profile, in a sentence.
    var headline: String
    /// The app's name.
    var app = "app"
    var origin: String
    var form: String
    /// Settings of the service besides its endpoints, each a line of a profile.
    var settings: [String] = []
    /// What was guessed, for the top of the draft and the command's output.
    var remarks: [String] = []
    var endpoints: [Endpoint]
    var screens: [Screen]
    var journeys: [Journey]

    /// An endpoint.
    struct Endpoint: Equatable {
        var name: String
        var method = "GET"
        var path: String
        var needsToken = true
        var bytes = 1_000
        var rows: Int?
        var paging: String?
        var requestBytes = 0
    }

    /// A screen: groups of calls, each written as in a profile.
    struct Screen: Equatable {
        var name: String
        var groups: [[String]]
    }

    /// A journey over screens; each step is written as in a profile.
    struct Journey: Equatable {
        var name: String
        var about: String
        var steps: [String]
    }

    /// A small, ordinary API, for users without a description of their own.
    static let example = DraftService(
        headline:
            "A backend with Bearer tokens and the app in front of it. Put yours in its place.",
        origin: "https://api.example.com", form: "bearer",
        endpoints: [
            Endpoint(name: "posts", path: "/posts", bytes: 600, rows: 20, paging: "cursor"),
            Endpoint(name: "profile", path: "/me", bytes: 800),
            Endpoint(name: "notifications", path: "/me/notifications", bytes: 200, rows: 10),
            Endpoint(name: "post", path: "/posts/{id}", bytes: 2_500),
            Endpoint(name: "comments", path: "/posts/{id}/comments", bytes: 300, rows: 15),
            Endpoint(
                name: "comment", method: "POST", path: "/posts/{id}/comments", bytes: 300,
                requestBytes: 400),
            Endpoint(name: "image", path: "/images/{id}", needsToken: false, bytes: 60_000),
        ],
        screens: [
            Screen(
                name: "home", groups: [["posts", "profile", "notifications"], [images]]),
            Screen(name: "more", groups: [[#"{ "endpoint": "posts", "page": "next" }"#]]),
            Screen(name: "post", groups: [["post", "comments"]]),
            Screen(name: "comment", groups: [["comment"]]),
        ],
        journeys: [
            Journey(
                name: "read", about: "Looks at the newest, scrolls on, opens one and may comment.",
                steps: [
                    "home", "more", "post",
                    #"{ "screen": "comment", "probability": 0.1 }"#,
                ])
        ])

    private static let images = #"{ "endpoint": "image", "reads": "picture", "times": 4 }"#
}

/// The text of the service.
extension DraftService {
    /// The name of an endpoint for an example in a comment.
    var sample: String { (endpoints.first { $0.paging != nil } ?? endpoints.first)?.name ?? "" }

    /// Whether any call needs a token.
    var hasTokens: Bool { endpoints.contains(where: \.needsToken) }

    /// What was guessed, as comments below the headline.
    var guesses: String {
        guard !remarks.isEmpty else { return "" }
        let lines = remarks.flatMap { Prose.lines($0, first: "//   · ", rest: "//     ") }
        return (["//", "// Guessed, so look at it first:"] + lines).map { "\n" + $0 }.joined()
    }

    /// The service section of a profile's backend.
    var text: String {
        let comment = [
            "    // Your API: its calls, what they cost and bring. \"bytes\" are one object's,",
            "    // \"rows\" how many objects an answer holds; each may have a \"serviceTime\".",
        ]
        let settings =
            [#""origin": \#(origin.quoted)"#, #""form": \#(form.quoted)"#] + settings
        let list = endpoints.map { "        " + $0.line }.joined(separator: ",\n")
        return
            (comment + [
                "    \"service\": {", settings.map { "      \($0)," }.joined(separator: "\n"),
                "      \"endpoints\": [", list, "      ]", "    }",
            ]).joined(separator: "\n")
    }

    var screenLines: [String] {
        screens.map { screen in
            let groups = screen.groups.map { group in
                "[" + group.map { $0.hasPrefix("{") ? $0 : $0.quoted }.joined(separator: ", ") + "]"
            }
            let calls = groups.joined(separator: ", ")
            return #"{ "name": \#(screen.name.quoted), "calls": [\#(calls)] }"#
        }
    }

    var journeyLines: [String] {
        journeys.map { journey in
            let steps = journey.steps.map { $0.hasPrefix("{") ? $0 : $0.quoted }
            return """
                {
                          "name": \(journey.name.quoted),
                          "about": \(journey.about.quoted),
                          "steps": [\(steps.joined(separator: ", "))]
                        }
                """
        }
    }
}

extension DraftService {
    /// The acts to explore: the first journey's first screen, and the next one during its refresh.
    var actLines: [String] {
        let journey = journeys.first
        let steps = (journey?.steps ?? []).filter { !$0.hasPrefix("{") }
        return zip(["6m", "6m50ms"], [steps.first, steps.dropFirst().first ?? steps.first]).map {
            let place = [journey?.name, $1].compactMap { $0 }.joined(separator: ".")
            return #"{ "user": 0, "at": "\#($0)", "do": "step", "what": \#(place.quoted) }"#
        }
    }
}

extension DraftService.Endpoint {
    fileprivate var line: String {
        var parts = [#""name": \#(name.quoted)"#]
        if method != "GET" { parts.append(#""method": \#(method.quoted)"#) }
        parts.append(#""path": \#(path.quoted)"#)
        if !needsToken { parts.append(#""needsToken": false"#) }
        parts.append(#""bytes": \#(bytes)"#)
        if let rows { parts.append(#""rows": \#(rows)"#) }
        if let paging { parts.append(#""list": { "by": \#(paging.quoted), "objects": 1000 }"#) }
        if requestBytes > 0 { parts.append(#""requestBytes": \#(requestBytes)"#) }
        return "{ " + parts.joined(separator: ", ") + " }"
    }
}

extension String {
    /// The text as a JSON string.
    var quoted: String { JSON.string(self).line }
}
