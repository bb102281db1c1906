/// The pairs of what a profile says of apps, populations and the run's time.
extension SettingEffect {
    /// A token design of the declared app, and of it with the design that the pair is about.
    private static func tokens(_ setting: String) -> String { "apps[0].tokens.\(setting)" }
    /// Tokens that end so soon that most calls are refused.
    private static let short = "backend.tokens.accessLifetime=3s"
    /// Tokens that have ended when a call that was just given one arrives.
    private static let late = ["backend.tokens.accessLifetime=1s", "backend.network.up=2s"]
    private static let loss = [
        "backend.network.requestLossProbability=0.3", "backend.network.timeout=1s",
    ]
    /// Tokens that no run outlives.
    private static let long = ["backend.tokens.accessLifetime=5m"]
    /// An app that does not refresh whenever it starts.
    private static let books =
        long + [
            "populations[0].app=thisBookThatBook",
            #"populations[0].journeys={"browse":1}"#,
        ]
    /// Tokens that have ended when users of it, whose visits are short, return in turn after 10 s.
    private static let returning =
        books + [
            "populations[0].users=40", "populations[0].thinkTime=100ms",
            "backend.tokens.accessLifetime=7s",
        ]
    private static let naive = [#"populations[0].retries=naive"#]

    static let apps: [SettingEffect] = [
        .init(
            "apps[].tokens.notices", .declared, to: tokens("notices=[]"),
            "refreshes: count", .falls),
        .init(
            "apps[].tokens.ahead", .declared, from: [tokens(#"notices=["clock","status"]"#)],
            to: tokens("ahead=15s"), "refreshes: count", .falls),
        .init(
            "apps[].tokens.late", .declared,
            from: [tokens(#"notices=["clock","status"]"#), tokens("ahead=0s")],
            to: tokens("late=10s"), "expired_responses: count", .rises),
        .init(
            "apps[].tokens.singleFlight", .declared, to: tokens("singleFlight=false"),
            "refreshes: count", .rises),
        .init(
            "apps[].tokens.refreshesLate", .declared,
            from: [short, #"backend.network.down={"exponential":{"mean":"300ms"}}"#],
            to: tokens("refreshesLate=true"), "refreshes_redundant: count", .rises),
        .init(
            "apps[].tokens.resendsWithoutLimit", .declared, from: late,
            to: tokens("resendsWithoutLimit=true"), "requests: count", .rises),
        .init(
            "apps[].tokens.resends", .declared, from: late, to: tokens("resends=4"),
            "refreshes: count", .rises),
        .init(
            "apps[].tokens.resendDelay", .declared, from: [short], to: tokens("resendDelay=5s"),
            "step_duration: avg", .rises),
        .init(
            "apps[].tokens.refreshAttempts", .declared, from: loss + [short],
            to: tokens("refreshAttempts=5"), "step_failed: rate", .falls),
        .init(
            "apps[].tokens.refreshDelay", .declared,
            from: loss + [short, tokens("refreshAttempts=5")], to: tokens("refreshDelay=20s"),
            "step_duration: max", .rises),
        .init(
            "apps[].tokens.refreshNotices", .declared,
            from: [
                "backend.tokens.refreshLifetime=15s", #"backend.service.signedOut={"status":401}"#,
            ],
            to: tokens("refreshNotices=true"), "hangs: count", .rises),
        .init(
            "apps[].tokens.failedRefresh", .declared, from: loss + [short],
            to: tokens("failedRefresh=signOut"), "sessions_lost: count", .rises),
        .init(
            "apps[].tokens.forgets", .declared, from: loss + [short],
            to: tokens(#"forgets=["refreshLost"]"#), "hangs: count", .rises),
        .init(
            "apps[].journeys[].steps[].leaves", .declared,
            from: [short, #"backend.service.logOut={"path":"/logout"}"#],
            to: #"apps[0].journeys[0].steps=["home","list",{"screen":"write","leaves":true}]"#,
            "expired_responses: count", .falls),
        .init(
            "apps[].screens[].calls[].reads", .declared, from: [tokens(#"notices=["decoding"]"#)],
            to: #"apps[0].screens[0].calls=[[{"endpoint":"posts","reads":"text"},"me"]]"#,
            "request_failed: rate", .rises),
        .init(
            "apps[].screens[].calls[].page", .declared,
            from: ["backend.server.perScannedRow=50ms"],
            to: #"apps[0].screens[1].calls=[["posts"],["posts"]]"#,
            "request_duration: avg", .falls),
        .init(
            "apps[].screens[].calls[].design", .declared, from: [short],
            to: #"apps[0].screens[0].calls=[[{"endpoint":"posts","design":false},"me"]]"#,
            "expired_repaired: count", .falls),
        .init(
            "apps[].screens[].calls[].times", .declared,
            to: #"apps[0].screens[0].calls=[[{"endpoint":"posts","times":9},"me"]]"#,
            "requests: count", .rises),
        .init(
            "apps[].screens[].calls[].endpoint", .declared,
            to: #"apps[0].screens[2].calls=[["me"]]"#,
            "requests{endpoint:save}: count", .falls),
        .init(
            "apps[].journeys[].steps[].probability", .declared,
            to: step(#""probability":0.1"#), "steps: count", .falls),
        .init(
            "apps[].journeys[].steps[].leadsOn", .declared, to: step(#""leadsOn":true"#),
            "journeys: count", .rises),
        .init(
            "apps[].journeys[].steps[].when", .declared, to: step(#""when":"signedIn""#),
            "steps: count", .falls),
    ]

    /// The declared journey with something said of its second step.
    private static func step(_ setting: String) -> String {
        #"apps[0].journeys[0].steps=["home",{"screen":"list",\#(setting)},"write"]"#
    }

    static let populations: [SettingEffect] = [
        .init(
            "populations[].users", .both, to: "populations[0].users=2", "visits: count", .falls),
        .init(
            "populations[].journeys", .builtIn, to: #"populations[0].journeys={"read":1}"#,
            "journeys{journey:comment}: count", .falls),
        .init(
            "populations[].design", .builtIn, from: [short],
            to: "populations[0].design=reference", "refreshes: count", .falls),
        .init(
            "populations[].design", .declared, from: [short, tokens("singleFlight=false")],
            to: "populations[0].design=reference", "refreshes: count", .falls),
        .init(
            "populations[].retries", .both, from: loss, to: "populations[0].retries=naive",
            "step_failed: rate", .falls),
        .init(
            "populations[].retryPolicy.limit", .both, from: loss + naive,
            to: "populations[0].retryPolicy.limit=0", "retries: count", .falls),
        .init(
            "populations[].retryPolicy.firstDelay", .both, from: loss + naive,
            to: "populations[0].retryPolicy.firstDelay=20s", "step_duration: avg", .rises),
        .init(
            "populations[].retryPolicy.factor", .both,
            from: loss + naive + ["populations[0].retryPolicy.limit=4"],
            to: "populations[0].retryPolicy.factor=6", "step_duration: avg", .rises),
        .init(
            "populations[].retryPolicy.longestDelay", .both,
            from: loss + naive + ["populations[0].retryPolicy={\"limit\":4,\"factor\":6}"],
            to: "populations[0].retryPolicy.longestDelay=100ms", "step_duration: avg", .falls),
        .init(
            "populations[].retryPolicy.heedsRetryAfter", .both,
            from: naive + [
                #"backend.faults=[{"kind":"serverError","at":"0s","status":503,"#
                    + #""probability":0.3,"retryAfter":"10s"}]"#
            ], to: "populations[0].retryPolicy.heedsRetryAfter=true", "step_duration: avg", .rises),
        .init(
            "populations[].retryPolicy.budget", .both,
            from: loss + ["populations[0].retries=budgeted"],
            to: "populations[0].retryPolicy.budget=2", "retries: count", .rises),
        .init(
            "populations[].retryPolicy.savings", .both,
            from: loss + [
                "populations[0].retries=budgeted", "populations[0].retryPolicy.budget=0",
            ], to: "populations[0].retryPolicy.savings=100", "retries: count", .rises),
        .init(
            "populations[].retryPolicy.opensAfter", .both,
            from: loss + ["populations[0].retries=breaker"],
            to: "populations[0].retryPolicy.opensAfter=1", "step_failed: rate", .rises),
        .init(
            "populations[].retryPolicy.openFor", .both,
            from: loss + [
                "populations[0].retries=breaker", "populations[0].retryPolicy.opensAfter=1",
            ], to: "populations[0].retryPolicy.openFor=1ms", "step_failed: rate", .falls),
        .init(
            "populations[].thinkTime", .both, to: "populations[0].thinkTime=20s",
            "journeys: count", .falls),
        .init(
            "populations[].thinkTimes", .declared,
            to: #"populations[0].thinkTimes={"list":"20s"}"#, "journeys: count", .falls),
        .init(
            "populations[].away", .both, to: "populations[0].away=40s", "visits: count", .falls),
        .init(
            "populations[].arriveOver", .both, to: "populations[0].arriveOver=50s",
            "visits: count", .falls),
        .init(
            "populations[].patience", .both, from: ["backend.network.up=4s"],
            to: "populations[0].patience=1s", "journeys: count", .rises),
        .init(
            "populations[].startsSignedIn", .both, to: "populations[0].startsSignedIn=false",
            "requests: count", .rises),
        .init(
            "populations[].initialTokens", .declared, from: long,
            to: "populations[0].initialTokens=expired", "refreshes: count", .rises),
        .init(
            "populations[].tokenLife", .declared,
            from: long + ["populations[0].initialTokens=aged"],
            to: "populations[0].tokenLife=0s", "refreshes: count", .rises),
        .init(
            "populations[].initialTokens", .builtIn, from: books,
            to: "populations[0].initialTokens=expired", "refreshes: count", .rises),
        .init(
            "populations[].tokenLife", .builtIn,
            from: books + ["populations[0].initialTokens=aged"],
            to: "populations[0].tokenLife=0s", "refreshes: count", .rises),
        .init(
            "populations[].load.open.whoReturns", .builtIn,
            from: returning + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":4,"for":"1m"}}]}"#
            ],
            to: "populations[0].load.open.whoReturns=inTurn",
            "expired_responses: count", .rises),
        .init(
            "populations[].load.partlyOpen.whoReturns", .builtIn,
            from: returning + [partlyOpen("4")],
            to: "populations[0].load.partlyOpen.whoReturns=inTurn",
            "expired_responses: count", .rises),
    ]

    static let time: [SettingEffect] = [
        .init("duration", .both, to: "duration=30s", "steps: count", .falls),
        .init("warmUp.for", .both, to: #"warmUp={"for":"30s"}"#, "steps: count", .falls),
        .init(
            "drain", .both, from: [#"backend.network.up={"exponential":{"mean":"5s"}}"#],
            to: "drain=0s", "steps: count", .falls),
    ]
}
