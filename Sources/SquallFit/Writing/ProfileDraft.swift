public import SquallFormat

/// A commented profile to begin with, which runs as it is: of a small, ordinary API, or of the one
/// that an OpenAPI document describes.
public struct ProfileDraft: Sendable {
    /// The source of the profile, in a sentence.
    let headline: String
    var api: DeclaredAPI
    /// True if all tokens expire at once in the middle, which no real server can be told to do.
    var hasFault = true
    /// The settings of `backend.tokens`, and the comment above them.
    var tokens: (settings: [(key: String, value: JSON)], comment: String)?
    /// The guesses, for the top of the draft and the command's output.
    public internal(set) var remarks: [String] = []
    /// True if a call is known that refreshes tokens; without one their expiry is not simulated.
    var hasRefresh = true
    /// The lives of tokens in nanoseconds, where a document states them.
    var lives: (access: Int64?, refresh: Int64?)

    /// A small, ordinary API, for users without a description of their own.
    public static let example = ProfileDraft(
        headline:
            "A backend with Bearer tokens and the app in front of it. Put yours in its place.",
        api: DeclaredAPI(
            settings: [("form", "bearer")],
            endpoints: [
                .init(
                    name: "posts", path: "/posts", bytes: 600, rows: 20,
                    list: DeclaredAPI.Endpoint.list(by: "cursor")),
                .init(name: "profile", path: "/me", bytes: 800),
                .init(name: "notifications", path: "/me/notifications", bytes: 200, rows: 10),
                .init(name: "post", path: "/posts/{id}", bytes: 2_500),
                .init(name: "comments", path: "/posts/{id}/comments", bytes: 300, rows: 15),
                .init(
                    name: "comment", method: "POST", path: "/posts/{id}/comments", bytes: 300,
                    requestBytes: 400),
                .init(name: "image", path: "/images/{id}", needsToken: false, bytes: 60_000),
            ],
            screens: [
                DeclaredAPI.screen(
                    "home",
                    [
                        ["posts", "profile", "notifications"],
                        [DeclaredAPI.call("image", reads: "picture", times: 4)],
                    ]),
                DeclaredAPI.screen("more", [[DeclaredAPI.call("posts", isNext: true)]]),
                DeclaredAPI.screen("post", [["post", "comments"]]),
                DeclaredAPI.screen("comment", [["comment"]]),
            ],
            journeys: [
                .init(
                    name: "read",
                    about: "Looks at the newest, scrolls on, opens one and may comment.",
                    steps: [("home", 1), ("more", 1), ("post", 1), ("comment", 0.1)])
            ]))

    /// The example behind a token service known by its name.
    ///
    /// - Parameters:
    ///   - service: the name, as `backend.service.form` has it.
    ///   - source: the product and its version.
    ///   - about: its particulars.
    ///   - tokens: the settings of `backend.tokens` that it has.
    /// - Returns: a draft with a service of that form.
    public static func example(
        of service: String, source: String, about: String, tokens: [(key: String, value: JSON)]
    ) -> ProfileDraft {
        var draft = example
        draft.api.settings = [("form", "\(service)")]
        draft.tokens = (tokens, "As \(source) has them: \(about).")
        return ProfileDraft(
            headline: "A backend with the tokens of \(source), and the app in front of it.",
            api: draft.api, tokens: draft.tokens)
    }

    /// An app with one call, where no more of an API is known.
    public static func ofCall(_ method: String, _ path: String) -> ProfileDraft {
        ProfileDraft(
            headline: "A token service and the one call of it that is known.",
            api: DeclaredAPI(
                settings: [("form", "bearer")],
                endpoints: [.init(name: "call", method: method, path: path)],
                screens: [DeclaredAPI.screen("home", [["call"]])],
                journeys: [.init(name: "read", about: "Opens the app.", steps: [("home", 1)])]),
            hasFault: false)
    }

    /// Removes the parts with problems, each with its path in the profile, and says so in the
    /// remarks; returns false if nothing, or everything, would go.
    public mutating func leaveOut(_ problems: [(path: String, message: String)]) -> Bool {
        var endpoints: Set<Int> = []
        var isChanged = false
        for (path, message) in problems.reversed() {
            let steps = path.split(separator: "/")
            guard steps.count > 2, steps.starts(with: ["backend", "service"]) else { continue }
            if steps[2] == "endpoints", steps.count > 3 {
                guard let index = Int(steps[3]), api.endpoints.indices.contains(index),
                    endpoints.insert(index).inserted
                else { continue }
            } else if steps[2] == "origin" {
                isChanged = isChanged || api.origin != DeclaredAPI.exampleOrigin
                api.origin = DeclaredAPI.exampleOrigin
            } else {
                let count = api.settings.count
                api.settings.removeAll { $0.name == steps[2] }
                isChanged = isChanged || api.settings.count != count
            }
            remarks.append("Left out, since no profile can have it: \(message.excerpt(200))")
        }
        guard !endpoints.isEmpty else { return isChanged }
        api.endpoints = api.endpoints.enumerated().filter { !endpoints.contains($0.offset) }
            .map(\.element)
        (api.screens, api.journeys) = OpenAPIScreens(api.endpoints).all
        return !api.endpoints.isEmpty
    }
}
