/// The pairs, setting by setting.
extension SettingEffect {
    static let all = tokens + network + server + load + apps + populations + time

    /// One worker that is nearly busy.
    private static let slow = ["backend.server.serviceTime=300ms", "backend.server.workers=1"]
    /// One worker with a line that grows.
    private static let jam = ["backend.server.serviceTime=800ms", "backend.server.workers=1"]

    /// Sessions that arrive at a rate, none of which is followed by another.
    static func partlyOpen(_ rate: String) -> String {
        #"populations[0].load.partlyOpen={"continue":0,"stages":"#
            + #"[{"constant":{"rate":\#(rate),"for":"1m"}}]}"#
    }

    /// Four workers for one endpoint, and another number of them from a moment on.
    private static func pool(at moment: String, workers: Int) -> String {
        #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":4,"#
            + #""workerStages":[{"at":"\#(moment)","workers":\#(workers)}]}]"#
    }

    private static let tokens: [SettingEffect] = [
        .init("backend.tokens.accessLifetime=3s", raises: "expired_responses: count"),
        .init("backend.tokens.refreshLifetime=15s", raises: "sessions_lost: count"),
        .init(
            "backend.tokens.statedLifetime=1h", in: .declared,
            beside: [#"apps[0].tokens.notices=["clock","status"]"#],
            raises: "expired_responses: count"),
        .init("backend.tokens.lifetimeJitter=15s", raises: "refreshes: count"),
        .init(
            "backend.tokens.refresh=oneShot", in: .declared,
            beside: ["apps[0].tokens.singleFlight=false"], raises: "sessions_lost: count"),
        .init("backend.tokens.refresh=oneShot", in: .builtIn, raises: "sessions_lost: count"),
        .init(
            "backend.tokens.reuseWindow=0s", in: .declared,
            beside: [
                "apps[0].tokens.singleFlight=false", "backend.tokens.refresh=rotatingWithLeeway",
            ], raises: "sessions_lost: count"),
        .init(
            "backend.tokens.refreshRevokesAccessTokens=true", in: .declared,
            beside: [
                "apps[0].tokens.singleFlight=false",
                #"backend.network.up={"exponential":{"mean":"300ms"}}"#,
            ], raises: "expired_responses: count"),
        .init(
            "backend.tokens.refreshRevokesAccessTokens=true", in: .builtIn,
            beside: [
                #"backend.network.up={"exponential":{"mean":"300ms"}}"#,
                "backend.tokens.accessLifetime=3s",
            ], raises: "expired_responses: count"),
    ]

    private static let network: [SettingEffect] = [
        .init("backend.network.up=200ms", raises: "step_duration: p(50)"),
        .init("backend.network.down=200ms", raises: "step_duration: p(50)"),
        .init("backend.network.connectionsPerHost=1", raises: "connection_wait: avg"),
        .init(
            "backend.network.timeout=100ms", beside: ["backend.network.up=150ms"],
            raises: "request_failed: rate"),
        .init("backend.network.bandwidthBytesPerSecond=2000", raises: "request_duration: avg"),
        .init("backend.network.uploadBytesPerSecond=1000", raises: "request_duration: max"),
        .init("backend.network.connectFailureProbability=0.3", raises: "request_failed: rate"),
        .init(
            "backend.network.requestLossProbability=0.3", beside: ["backend.network.timeout=1s"],
            raises: "request_failed: rate"),
        .init(
            "backend.network.answerLossProbability=0.3", beside: ["backend.network.timeout=1s"],
            raises: "request_failed: rate"),
        .init(
            "backend.network.lossNotice=connectionLost",
            beside: ["backend.network.requestLossProbability=0.3", "backend.network.timeout=10s"],
            lowers: "step_duration: p(95)"),
    ]

    private static let server: [SettingEffect] = [
        .init(
            "backend.server.workers=1", beside: ["backend.server.serviceTime=300ms"],
            raises: "server_wait: avg"),
        .init("backend.server.queueLimit=0", beside: jam, raises: "request_failed: rate"),
        .init("backend.server.serviceTime=200ms", raises: "request_duration: avg"),
        .init(
            #"backend.server.serviceTimes={"posts":"300ms"}"#, in: .declared,
            raises: "request_duration{endpoint:posts}: avg"),
        .init(
            #"backend.server.serviceTimes={"refresh":"300ms"}"#, in: .builtIn,
            raises: "request_duration{endpoint:refresh}: avg"),
        .init(
            "backend.server.refusalTime=500ms", beside: ["backend.tokens.accessLifetime=3s"],
            raises: "request_duration: avg"),
        .init("backend.server.perItem=20ms", raises: "request_duration: avg"),
        .init("backend.server.perScannedRow=20ms", raises: "request_duration: avg"),
        .init("backend.server.waitLimit=100ms", beside: jam, raises: "request_failed: rate"),
        .init(#"backend.server.userRate={"perSecond":0.2}"#, raises: "request_failed: rate"),
        .init(
            "backend.server.userRate.perSecond=0.2",
            beside: [#"backend.server.userRate={"perSecond":100}"#],
            raises: "request_failed: rate"),
        .init(
            "backend.server.userRate.burst=100",
            beside: [#"backend.server.userRate={"perSecond":0.2,"burst":1}"#],
            lowers: "request_failed: rate"),
        .init(#"backend.server.keyRate={"perSecond":1}"#, raises: "request_failed: rate"),
        .init(
            "backend.server.keyRate.perSecond=1",
            beside: [#"backend.server.keyRate={"perSecond":100}"#], raises: "request_failed: rate"),
        .init(
            "backend.server.keyRate.burst=1000",
            beside: [#"backend.server.keyRate={"perSecond":1,"burst":1}"#],
            lowers: "request_failed: rate"),
        .init(
            "backend.server.clockSkew=1h", beside: ["backend.server.serviceTime=300ms"],
            raises: "expired_responses: count"),
        .init(
            #"backend.server.workerStages=[{"at":"20s","workers":1}]"#,
            beside: ["backend.server.serviceTime=100ms"], raises: "server_wait: avg"),
        .init(
            "backend.server.workerStages[0].at=5s",
            beside: [
                "backend.server.serviceTime=100ms",
                #"backend.server.workerStages=[{"at":"50s","workers":1}]"#,
            ], raises: "server_wait: avg"),
        .init(
            "backend.server.workerStages[0].workers=1",
            beside: [
                "backend.server.serviceTime=100ms",
                #"backend.server.workerStages=[{"at":"5s","workers":4}]"#,
            ], raises: "server_wait: avg"),
        .init("backend.server.order=lifo", beside: slow, raises: "server_wait: max"),
        .init(
            #"backend.server.priorities={"me":9}"#, in: .declared,
            beside: slow + ["backend.server.order=priority"],
            lowers: "server_wait{endpoint:me}: avg"),
        .init(
            #"backend.server.priorities={"refresh":9}"#, in: .builtIn,
            beside: slow + ["backend.server.order=priority"],
            lowers: "server_wait{endpoint:refresh}: avg"),
        .init(
            "backend.server.late=leaves", beside: jam + ["backend.server.waitLimit=2s"],
            lowers: "server_wait: max"),
        .init(
            "backend.server.abandoned=leavesLine", beside: jam + ["backend.network.timeout=2s"],
            lowers: "server_wait: avg"),
        .init(
            #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":1}]"#,
            in: .declared, beside: ["backend.server.serviceTime=100ms"],
            raises: "server_wait: avg"),
        .init(
            #"backend.server.database={"connections":1,"queryTime":"100ms"}"#,
            raises: "request_duration: avg"),
        .init(
            "backend.server.database.connections=1",
            beside: [#"backend.server.database={"connections":9,"queryTime":"100ms"}"#],
            raises: "database_wait: avg"),
        .init(
            "backend.server.database.queryTime=100ms",
            beside: [#"backend.server.database={"connections":1,"queryTime":"1ms"}"#],
            raises: "request_duration: avg"),
        .init(
            "backend.server.database.rowsPerSecond=50",
            beside: [#"backend.server.database={"connections":1,"queryTime":"1ms"}"#],
            raises: "request_duration: avg"),
        .init(
            #"backend.server.database.endpoints=["me"]"#, in: .declared,
            beside: [#"backend.server.database={"connections":1,"queryTime":"100ms"}"#],
            lowers: "request_duration{endpoint:posts}: avg"),
        .init(
            #"backend.server.pools[0].endpoints=["me","posts","save"]"#, in: .declared,
            beside: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["me"],"workers":1}]"#,
            ], raises: "server_wait: avg"),
        .init(
            "backend.server.pools[0].workers=1", in: .declared,
            beside: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":4}]"#,
            ], raises: "server_wait: avg"),
        .init(
            "backend.server.pools[0].queueLimit=0", in: .declared,
            beside: jam + [
                #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":1}]"#
            ], raises: "request_failed: rate"),
        .init(
            #"backend.server.pools[0].workerStages=[{"at":"5s","workers":1}]"#, in: .declared,
            beside: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":4}]"#,
            ], raises: "server_wait: avg"),
        .init(
            "backend.server.pools[0].workerStages[0].at=5s", in: .declared,
            beside: ["backend.server.serviceTime=100ms", pool(at: "50s", workers: 1)],
            raises: "server_wait: avg"),
        .init(
            "backend.server.pools[0].workerStages[0].workers=1", in: .declared,
            beside: ["backend.server.serviceTime=100ms", pool(at: "5s", workers: 4)],
            raises: "server_wait: avg"),
    ]

    private static let load: [SettingEffect] = [
        .init(
            #"populations[0].load={"open":{"stages":[{"constant":{"rate":2,"for":"1m"}}]}}"#,
            raises: "journeys: count"),
        .init("populations[0].load.closed.pacing=50s", lowers: "journeys: count"),
        .init(
            #"populations[0].load.closed.stages=[{"users":2,"for":"1m"}]"#,
            lowers: "journeys: count"),
        .init(
            "populations[0].load.open.spacing=even",
            beside: slow + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":0.4,"for":"1m"}}]}"#
            ], lowers: "server_wait: avg"),
        .init(
            "populations[0].load.open.whenNobodyIsFree=refuse",
            beside: [#"populations[0].load.open={"stages":[{"constant":{"rate":5,"for":"1m"}}]}"#],
            lowers: "journey_delay: max"),
        .init(
            "populations[0].load.open.whoReturns=inTurn", in: .declared,
            beside: ["populations[0].users=40", "backend.tokens.accessLifetime=7s"] + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":4,"for":"1m"}}]}"#
            ], raises: "expired_responses: count"),
        .init(
            "populations[0].load.partlyOpen.whoReturns=inTurn", in: .declared,
            beside: [
                "populations[0].users=40", "backend.tokens.accessLifetime=7s", partlyOpen("4"),
            ], raises: "expired_responses: count"),
        .init(
            #"populations[0].load.open.stages=[{"constant":{"rate":2,"for":"1m"}}]"#,
            beside: [#"populations[0].load.open={"stages":[{"constant":{"rate":1,"for":"1m"}}]}"#],
            raises: "journeys: count"),
        .init(
            "populations[0].load.closed.stages[0].users=2",
            beside: [#"populations[0].load.closed={"stages":[{"users":9,"for":"1m"}]}"#],
            lowers: "journeys: count"),
        .init(
            "populations[0].load.closed.stages[0].for=50s",
            beside: [
                #"populations[0].load.closed={"stages":[{"users":9,"for":"1s"},"#
                    + #"{"users":9,"for":"59s"}]}"#
            ], lowers: "journeys: count"),
        .init(
            "populations[0].load.partlyOpen.spacing=even", beside: slow + [partlyOpen("0.4")],
            lowers: "server_wait: avg"),
        .init(
            "populations[0].load.partlyOpen.whenNobodyIsFree=refuse", beside: [partlyOpen("5")],
            lowers: "journey_delay: max"),
        .init(
            #"populations[0].load.partlyOpen.stages=[{"constant":{"rate":0.9,"for":"1m"}}]"#,
            beside: [partlyOpen("0.3")], raises: "journeys: count"),
        .init(
            "populations[0].load.partlyOpen.continue=0.9", beside: [partlyOpen("0.2")],
            raises: "journeys: count"),
    ]
}
