import SquallFormat
import SquallKernel

extension ProfileDraft {
    /// The text; `file` is the profile's name in its commands.
    public func text(for file: String) -> String {
        let hasTokens = hasTokens
        return ProfilePart.profile(
            head(file, hasTokens: hasTokens),
            [
                ProfilePart("schemaVersion", 1),
                ProfilePart(
                    "question",
                    hasTokens
                        ? "How do token expiry and our backend affect users?"
                        : "How does our backend affect users?"),
                ProfilePart("seed", 1),
                ProfilePart("duration", "10m"),
                ProfilePart("warmUp", ["for": "2m"], comment: Self.warmUpComment),
                population,
                api.apps(
                    tokens: [("notices", ["status"]), ("singleFlight", true)],
                    journeys: api.journeys.map { .object(nil, ProfilePart.lines($0.members)) },
                    appComments),
                backend(hasTokens: hasTokens),
            ] + (hasTokens ? [explore] : []) + [
                DeclaredAPI.thresholds(
                    comment: "Limits for metrics; the exit code is 1 if one of them fails.",
                    hasTokens: hasTokens)
            ], assuming: assumed(hasTokens: hasTokens))
    }

    /// True if tokens expire and the profile asks about them.
    private var hasTokens: Bool { hasRefresh && api.endpoints.contains(where: \.needsToken) }

    /// The key paths of the settings that a description of an API does not tell.
    private func assumed(hasTokens: Bool) -> [String] {
        let load = ["users", "thinkTime", "away"].map { "populations[0].\($0)" }
        let tokens = [
            lives.access == nil ? "accessLifetime" : nil,
            lives.refresh == nil ? "refreshLifetime" : nil, "refresh",
        ].compactMap { $0.map { "backend.tokens.\($0)" } }
        let server = ["workers", "serviceTime", "queueLimit"].map { "backend.server.\($0)" }
        return load + ["apps[0].screens", "apps[0].journeys"]
            + (hasTokens ? ["apps[0].tokens"] + tokens : [])
            + api.endpoints.indices.filter { api.endpoints[$0].isSizeAssumed }
            .map { "backend.service.endpoints[\($0)].rows" }
            + ["backend.network.up", "backend.network.down"] + server
    }

    private func head(_ file: String, hasTokens: Bool) -> String {
        func command(_ name: String, _ answer: String) -> String {
            let space = String(repeating: " ", count: 26 - name.count)
            return "  squall \(name) \(file)\(space)\(answer)"
        }
        let guesses = remarks.flatMap { WordWrap.lines($0, width: 77, first: "  · ", rest: "    ") }
        var lines = [headline]
        if !guesses.isEmpty { lines += ["", "Guessed; please check:"] + guesses }
        lines += ["", command("run", "run it and write a report")]
        if hasTokens {
            lines += [
                command("apps", "how the token design behaves"),
                "  squall compare \(file) --with populations[0].design=naive",
            ]
        }
        lines.append(command("capacity", "how many users meet every threshold"))
        if hasTokens {
            lines.append(command("explore", "search for orders of events that break it"))
        }
        let end =
            "All settings: squall help profile. Names in quotes are free to choose."
        return (lines + ["", end]).joined(separator: "\n")
    }

    private static let warmUpComment = """
        All users arrive within a minute; the warm-up excludes it. Without this line a capacity
        would be that of the minute of arrival.
        """

    private var population: ProfilePart {
        .list(
            "populations",
            comment: "The users and their journeys, which are defined below in \"apps\".",
            isApart: true,
            [
                .object(
                    nil,
                    [
                        ProfilePart("name", "users"), ProfilePart("app", DeclaredAPI.app),
                        ProfilePart("design", "asBuilt"), ProfilePart("users", 200),
                        ProfilePart(
                            "journeys", ProfileValue([(api.journeys.first?.name ?? "", 1)])),
                        ProfilePart("thinkTime", ["exponential": ["mean": "8s"]]),
                        ProfilePart("away", ["exponential": ["mean": "1m"]]),
                        ProfilePart("initialTokens", "aged"),
                    ])
            ])
    }

    private var appComments: DeclaredAPI.AppComments {
        let sample = api.endpoints.first { $0.list != nil } ?? api.endpoints.first
        let screens = """
            Groups of calls, one group after the other; the calls of a group are made at once.
            A call is the name of an endpoint, or an object: { "endpoint": "\(sample?.name ?? "")",
            "page": "next" } for the next page of a list, "times": 4, "reads": "picture",
            "design": false for calls without your token design.
            """
        return (
            Self.tokensComment, "Designs to compare it with; \"reference\" is built in.",
            screens, ""
        )
    }

    private static let tokensComment = """
        Your token design. The default is the correct one: one refresh at a time, and calls
        that are refused meanwhile wait for it. Settings for other behaviour:
          "notices": ["status"], or "clock" with "ahead": "30s", "body", "decoding"
          "singleFlight": false        each refused call refreshes on its own
          "refreshesLate": true        a call that is refused with an old token refreshes, too
          "resends": 2, "resendDelay": "1s", "refreshAttempts": 3
          "failedRefresh": "signOut"   any failed refresh ends the session
        """

    private func backend(hasTokens: Bool) -> ProfilePart {
        let work = Distribution.logNormal(
            median: 20_000_000, sigma: 0.5, maximum: 2_000_000_000)
        return .object(
            "backend", isApart: true,
            [
                tokensPart,
                ProfilePart(
                    "network", ["up": "40ms", "down": "40ms"],
                    comment: "One-way delays; 250 ms is typical of a phone in motion."),
                .object(
                    "server", comment: Self.serverComment,
                    [
                        ProfilePart("workers", 4), ProfilePart("serviceTime", .law(work)),
                        ProfilePart("queueLimit", 1_000),
                    ]),
                ProfilePart(
                    "faults",
                    hasTokens && hasFault ? [["kind": "expireAllTokens", "at": "6m"]] : [],
                    comment: "Faults and their times; squall help profile lists the kinds."),
                api.service(comment: Self.serviceComment, isApart: true),
            ])
    }

    private var tokensPart: ProfilePart {
        guard let tokens else {
            // Without a refresh tokens do not end, whatever life is stated.
            let access = hasRefresh ? lives.access ?? 2 * Span.minute : 14 * Span.day
            let usual = min(max(14 * Span.day, 2 * access), 366 * Span.day)
            return ProfilePart(
                "tokens",
                [
                    "accessLifetime": .exactTime(access),
                    "statedLifetime": hasRefresh ? nil : lives.access.map { .exactTime($0) },
                    "refreshLifetime": .exactTime(hasRefresh ? lives.refresh ?? usual : usual),
                    "refresh": "coexist",
                ],
                comment: Self.lifetimeComment)
        }
        let members = tokens.settings.map { ($0.key, Optional(ProfileValue(json: $0.value.line))) }
        return .object("tokens", comment: tokens.comment, ProfilePart.lines(members))
    }

    private static let lifetimeComment = """
        How long tokens live, and whether a refresh token may be used twice: coexist,
        early409, rotatingStrict, rotatingWithLeeway, rotatingWithReplay, oneShot,
        rotatingCoexist, rotatingUntilUsed or once.
        """
    private static let serverComment = """
        Number of workers, service time of endpoints without one of their own, and length of
        the queue.
        """
    private static let serviceComment = """
        Your API: its calls. "bytes" is the size of one object, "rows" the number of objects
        in a response; each call may have a "serviceTime".
        """

    /// The acts to explore: the first journey's first screen, and the next one during its refresh.
    private var explore: ProfilePart {
        let journey = api.journeys.first
        let steps = (journey?.steps ?? []).filter { $0.probability == 1 }.map(\.screen)
        let screens = [steps.first, steps.dropFirst().first ?? steps.first]
        let acts = zip(["6m", "6m50ms"], screens).map { time, screen in
            let place = [journey?.name, screen].compactMap(\.self).joined(separator: ".")
            return ProfilePart(
                nil, ["user": 0, "at": "\(time)", "do": "step", "what": "\(place)"])
        }
        return .object(
            "explore",
            comment: """
                The scenario of squall explore, which is played in many orders: all tokens have
                just expired, and a screen opens while another one refreshes.
                """,
            isApart: true, [.list("acts", acts)])
    }
}
