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
        .init(tokens("notices=[]"), in: .declared, lowers: "refreshes: count"),
        .init(
            tokens("ahead=15s"), in: .declared, beside: [tokens(#"notices=["clock","status"]"#)],
            lowers: "refreshes: count"),
        .init(
            tokens("late=10s"), in: .declared,
            beside: [tokens(#"notices=["clock","status"]"#), tokens("ahead=0s")],
            raises: "expired_responses: count"),
        .init(tokens("singleFlight=false"), in: .declared, raises: "refreshes: count"),
        .init(
            tokens("refreshesLate=true"), in: .declared,
            beside: [short, #"backend.network.down={"exponential":{"mean":"300ms"}}"#],
            raises: "refreshes_redundant: count"),
        .init(
            tokens("resendsWithoutLimit=true"), in: .declared, beside: late,
            raises: "requests: count"),
        .init(tokens("resends=4"), in: .declared, beside: late, raises: "refreshes: count"),
        .init(
            tokens("resendDelay=5s"), in: .declared, beside: [short], raises: "step_duration: avg"),
        .init(
            tokens("refreshAttempts=5"), in: .declared, beside: loss + [short],
            lowers: "step_failed: rate"),
        .init(
            tokens("refreshDelay=20s"), in: .declared,
            beside: loss + [short, tokens("refreshAttempts=5")], raises: "step_duration: max"),
        .init(
            tokens("refreshNotices=true"), in: .declared,
            beside: [
                "backend.tokens.refreshLifetime=15s", #"backend.service.signedOut={"status":401}"#,
            ], raises: "hangs: count"),
        .init(
            tokens("failedRefresh=signOut"), in: .declared, beside: loss + [short],
            raises: "sessions_lost: count"),
        .init(
            tokens(#"forgets=["refreshLost"]"#), in: .declared, beside: loss + [short],
            raises: "hangs: count"),
        .init(
            #"apps[0].journeys[0].steps=["home","list",{"screen":"write","leaves":true}]"#,
            of: "apps[].journeys[].steps[].leaves", in: .declared,
            beside: [short, #"backend.service.logOut={"path":"/logout"}"#],
            lowers: "expired_responses: count"),
        .init(
            #"apps[0].screens[0].calls=[[{"endpoint":"posts","reads":"text"},"me"]]"#,
            of: "apps[].screens[].calls[].reads", in: .declared,
            beside: [tokens(#"notices=["decoding"]"#)], raises: "request_failed: rate"),
        .init(
            #"apps[0].screens[1].calls=[["posts"],["posts"]]"#, of: "apps[].screens[].calls[].page",
            in: .declared, beside: ["backend.server.perScannedRow=50ms"],
            lowers: "request_duration: avg"),
        .init(
            #"apps[0].screens[0].calls=[[{"endpoint":"posts","design":false},"me"]]"#,
            of: "apps[].screens[].calls[].design", in: .declared, beside: [short],
            lowers: "expired_repaired: count"),
        .init(
            #"apps[0].screens[0].calls=[[{"endpoint":"posts","times":9},"me"]]"#,
            of: "apps[].screens[].calls[].times", in: .declared, raises: "requests: count"),
        .init(
            #"apps[0].screens[2].calls=[["me"]]"#, of: "apps[].screens[].calls[].endpoint",
            in: .declared, lowers: "requests{endpoint:save}: count"),
        .init(
            step(#""probability":0.1"#), of: "apps[].journeys[].steps[].probability", in: .declared,
            lowers: "steps: count"),
        .init(
            step(#""leadsOn":true"#), of: "apps[].journeys[].steps[].leadsOn", in: .declared,
            raises: "journeys: count"),
        .init(
            step(#""when":"signedIn""#), of: "apps[].journeys[].steps[].when", in: .declared,
            lowers: "steps: count"),
    ]

    /// The declared journey with something said of its second step.
    private static func step(_ setting: String) -> String {
        #"apps[0].journeys[0].steps=["home",{"screen":"list",\#(setting)},"write"]"#
    }

    static let populations: [SettingEffect] = [
        .init("populations[0].users=2", lowers: "visits: count"),
        .init(
            #"populations[0].journeys={"read":1}"#, in: .builtIn,
            lowers: "journeys{journey:comment}: count"),
        .init(
            "populations[0].design=reference", in: .builtIn, beside: [short],
            lowers: "refreshes: count"),
        .init(
            "populations[0].design=reference", in: .declared,
            beside: [short, tokens("singleFlight=false")], lowers: "refreshes: count"),
        .init("populations[0].retries=naive", beside: loss, lowers: "step_failed: rate"),
        .init("populations[0].retryPolicy.limit=0", beside: loss + naive, lowers: "retries: count"),
        .init(
            "populations[0].retryPolicy.firstDelay=20s", beside: loss + naive,
            raises: "step_duration: avg"),
        .init(
            "populations[0].retryPolicy.factor=6",
            beside: loss + naive + ["populations[0].retryPolicy.limit=4"],
            raises: "step_duration: avg"),
        .init(
            "populations[0].retryPolicy.longestDelay=100ms",
            beside: loss + naive + ["populations[0].retryPolicy={\"limit\":4,\"factor\":6}"],
            lowers: "step_duration: avg"),
        .init(
            "populations[0].retryPolicy.heedsRetryAfter=true",
            beside: naive + [
                #"backend.faults=[{"kind":"serverError","at":"0s","status":503,"#
                    + #""probability":0.3,"retryAfter":"10s"}]"#
            ], raises: "step_duration: avg"),
        .init(
            "populations[0].retryPolicy.budget=2",
            beside: loss + ["populations[0].retries=budgeted"], raises: "retries: count"),
        .init(
            "populations[0].retryPolicy.savings=100",
            beside: loss + [
                "populations[0].retries=budgeted", "populations[0].retryPolicy.budget=0",
            ], raises: "retries: count"),
        .init(
            "populations[0].retryPolicy.opensAfter=1",
            beside: loss + ["populations[0].retries=breaker"], raises: "step_failed: rate"),
        .init(
            "populations[0].retryPolicy.openFor=1ms",
            beside: loss + [
                "populations[0].retries=breaker", "populations[0].retryPolicy.opensAfter=1",
            ], lowers: "step_failed: rate"),
        .init("populations[0].thinkTime=20s", lowers: "journeys: count"),
        .init(
            #"populations[0].thinkTimes={"list":"20s"}"#, in: .declared, lowers: "journeys: count"),
        .init("populations[0].away=40s", lowers: "visits: count"),
        .init("populations[0].arriveOver=50s", lowers: "visits: count"),
        .init(
            "populations[0].patience=1s", beside: ["backend.network.up=4s"],
            raises: "journeys: count"),
        .init("populations[0].startsSignedIn=false", raises: "requests: count"),
        .init(
            "populations[0].initialTokens=expired", in: .declared, beside: long,
            raises: "refreshes: count"),
        .init(
            "populations[0].tokenLife=0s", in: .declared,
            beside: long + ["populations[0].initialTokens=aged"], raises: "refreshes: count"),
        .init(
            "populations[0].initialTokens=expired", in: .builtIn, beside: books,
            raises: "refreshes: count"),
        .init(
            "populations[0].tokenLife=0s", in: .builtIn,
            beside: books + ["populations[0].initialTokens=aged"], raises: "refreshes: count"),
        .init(
            "populations[0].load.open.whoReturns=inTurn", in: .builtIn,
            beside: returning + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":4,"for":"1m"}}]}"#
            ], raises: "expired_responses: count"),
        .init(
            "populations[0].load.partlyOpen.whoReturns=inTurn", in: .builtIn,
            beside: returning + [partlyOpen("4")], raises: "expired_responses: count"),
    ]

    static let time: [SettingEffect] = [
        .init("duration=30s", lowers: "steps: count"),
        .init(#"warmUp={"for":"30s"}"#, of: "warmUp.for", lowers: "steps: count"),
        .init(
            "drain=0s", beside: [#"backend.network.up={"exponential":{"mean":"5s"}}"#],
            lowers: "steps: count"),
    ]
}
