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
        .init(
            "backend.tokens.accessLifetime", .both,
            to: "backend.tokens.accessLifetime=3s",
            "expired_responses: count", .rises),
        .init(
            "backend.tokens.refreshLifetime", .both,
            to: "backend.tokens.refreshLifetime=15s",
            "sessions_lost: count", .rises),
        .init(
            "backend.tokens.statedLifetime", .declared,
            from: [#"apps[0].tokens.notices=["clock","status"]"#],
            to: "backend.tokens.statedLifetime=1h",
            "expired_responses: count", .rises),
        .init(
            "backend.tokens.lifetimeJitter", .both,
            to: "backend.tokens.lifetimeJitter=15s",
            "refreshes: count", .rises),
        .init(
            "backend.tokens.refresh", .declared, from: ["apps[0].tokens.singleFlight=false"],
            to: "backend.tokens.refresh=oneShot",
            "sessions_lost: count", .rises),
        .init(
            "backend.tokens.refresh", .builtIn,
            to: "backend.tokens.refresh=oneShot",
            "sessions_lost: count", .rises),
        .init(
            "backend.tokens.reuseWindow", .declared,
            from: [
                "apps[0].tokens.singleFlight=false", "backend.tokens.refresh=rotatingWithLeeway",
            ],
            to: "backend.tokens.reuseWindow=0s",
            "sessions_lost: count", .rises),
        .init(
            "backend.tokens.refreshRevokesAccessTokens", .declared,
            from: [
                "apps[0].tokens.singleFlight=false",
                #"backend.network.up={"exponential":{"mean":"300ms"}}"#,
            ],
            to: "backend.tokens.refreshRevokesAccessTokens=true",
            "expired_responses: count", .rises),
        .init(
            "backend.tokens.refreshRevokesAccessTokens", .builtIn,
            from: [
                #"backend.network.up={"exponential":{"mean":"300ms"}}"#,
                "backend.tokens.accessLifetime=3s",
            ],
            to: "backend.tokens.refreshRevokesAccessTokens=true",
            "expired_responses: count", .rises),
    ]

    private static let network: [SettingEffect] = [
        .init(
            "backend.network.up", .both,
            to: "backend.network.up=200ms",
            "step_duration: p(50)", .rises),
        .init(
            "backend.network.down", .both,
            to: "backend.network.down=200ms",
            "step_duration: p(50)", .rises),
        .init(
            "backend.network.connectionsPerHost", .both,
            to: "backend.network.connectionsPerHost=1",
            "connection_wait: avg", .rises),
        .init(
            "backend.network.timeout", .both, from: ["backend.network.up=150ms"],
            to: "backend.network.timeout=100ms",
            "request_failed: rate", .rises),
        .init(
            "backend.network.bandwidthBytesPerSecond", .both,
            to: "backend.network.bandwidthBytesPerSecond=2000",
            "request_duration: avg", .rises),
        .init(
            "backend.network.uploadBytesPerSecond", .both,
            to: "backend.network.uploadBytesPerSecond=1000",
            "request_duration: max", .rises),
        .init(
            "backend.network.connectFailureProbability", .both,
            to: "backend.network.connectFailureProbability=0.3",
            "request_failed: rate", .rises),
        .init(
            "backend.network.requestLossProbability", .both, from: ["backend.network.timeout=1s"],
            to: "backend.network.requestLossProbability=0.3",
            "request_failed: rate", .rises),
        .init(
            "backend.network.answerLossProbability", .both, from: ["backend.network.timeout=1s"],
            to: "backend.network.answerLossProbability=0.3",
            "request_failed: rate", .rises),
        .init(
            "backend.network.lossNotice", .both,
            from: ["backend.network.requestLossProbability=0.3", "backend.network.timeout=10s"],
            to: "backend.network.lossNotice=connectionLost",
            "step_duration: p(95)", .falls),
    ]

    private static let server: [SettingEffect] = [
        .init(
            "backend.server.workers", .both, from: ["backend.server.serviceTime=300ms"],
            to: "backend.server.workers=1",
            "server_wait: avg", .rises),
        .init(
            "backend.server.queueLimit", .both, from: jam,
            to: "backend.server.queueLimit=0",
            "request_failed: rate", .rises),
        .init(
            "backend.server.serviceTime", .both,
            to: "backend.server.serviceTime=200ms",
            "request_duration: avg", .rises),
        .init(
            "backend.server.serviceTimes", .declared,
            to: #"backend.server.serviceTimes={"posts":"300ms"}"#,
            "request_duration{endpoint:posts}: avg", .rises),
        .init(
            "backend.server.serviceTimes", .builtIn,
            to: #"backend.server.serviceTimes={"refresh":"300ms"}"#,
            "request_duration{endpoint:refresh}: avg", .rises),
        .init(
            "backend.server.refusalTime", .both, from: ["backend.tokens.accessLifetime=3s"],
            to: "backend.server.refusalTime=500ms",
            "request_duration: avg", .rises),
        .init(
            "backend.server.perItem", .both,
            to: "backend.server.perItem=20ms",
            "request_duration: avg", .rises),
        .init(
            "backend.server.perScannedRow", .both,
            to: "backend.server.perScannedRow=20ms",
            "request_duration: avg", .rises),
        .init(
            "backend.server.waitLimit", .both, from: jam,
            to: "backend.server.waitLimit=100ms",
            "request_failed: rate", .rises),
        .init(
            "backend.server.userRate", .both,
            to: #"backend.server.userRate={"perSecond":0.2}"#,
            "request_failed: rate", .rises),
        .init(
            "backend.server.userRate.perSecond", .both,
            from: [#"backend.server.userRate={"perSecond":100}"#],
            to: "backend.server.userRate.perSecond=0.2",
            "request_failed: rate", .rises),
        .init(
            "backend.server.userRate.burst", .both,
            from: [#"backend.server.userRate={"perSecond":0.2,"burst":1}"#],
            to: "backend.server.userRate.burst=100",
            "request_failed: rate", .falls),
        .init(
            "backend.server.keyRate", .both,
            to: #"backend.server.keyRate={"perSecond":1}"#,
            "request_failed: rate", .rises),
        .init(
            "backend.server.keyRate.perSecond", .both,
            from: [#"backend.server.keyRate={"perSecond":100}"#],
            to: "backend.server.keyRate.perSecond=1",
            "request_failed: rate", .rises),
        .init(
            "backend.server.keyRate.burst", .both,
            from: [#"backend.server.keyRate={"perSecond":1,"burst":1}"#],
            to: "backend.server.keyRate.burst=1000",
            "request_failed: rate", .falls),
        .init(
            "backend.server.clockSkew", .both, from: ["backend.server.serviceTime=300ms"],
            to: "backend.server.clockSkew=1h",
            "expired_responses: count", .rises),
        .init(
            "backend.server.workerStages", .both, from: ["backend.server.serviceTime=100ms"],
            to: #"backend.server.workerStages=[{"at":"20s","workers":1}]"#,
            "server_wait: avg", .rises),
        .init(
            "backend.server.workerStages[].at", .both,
            from: [
                "backend.server.serviceTime=100ms",
                #"backend.server.workerStages=[{"at":"50s","workers":1}]"#,
            ],
            to: "backend.server.workerStages[0].at=5s",
            "server_wait: avg", .rises),
        .init(
            "backend.server.workerStages[].workers", .both,
            from: [
                "backend.server.serviceTime=100ms",
                #"backend.server.workerStages=[{"at":"5s","workers":4}]"#,
            ],
            to: "backend.server.workerStages[0].workers=1",
            "server_wait: avg", .rises),
        .init(
            "backend.server.order", .both, from: slow,
            to: "backend.server.order=lifo",
            "server_wait: max", .rises),
        .init(
            "backend.server.priorities", .declared, from: slow + ["backend.server.order=priority"],
            to: #"backend.server.priorities={"me":9}"#,
            "server_wait{endpoint:me}: avg", .falls),
        .init(
            "backend.server.priorities", .builtIn, from: slow + ["backend.server.order=priority"],
            to: #"backend.server.priorities={"refresh":9}"#,
            "server_wait{endpoint:refresh}: avg", .falls),
        .init(
            "backend.server.late", .both, from: jam + ["backend.server.waitLimit=2s"],
            to: "backend.server.late=leaves",
            "server_wait: max", .falls),
        .init(
            "backend.server.abandoned", .both, from: jam + ["backend.network.timeout=2s"],
            to: "backend.server.abandoned=leavesLine",
            "server_wait: avg", .falls),
        .init(
            "backend.server.pools", .declared, from: ["backend.server.serviceTime=100ms"],
            to: #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":1}]"#,
            "server_wait: avg", .rises),
        .init(
            "backend.server.database", .both,
            to: #"backend.server.database={"connections":1,"queryTime":"100ms"}"#,
            "request_duration: avg", .rises),
        .init(
            "backend.server.database.connections", .both,
            from: [#"backend.server.database={"connections":9,"queryTime":"100ms"}"#],
            to: "backend.server.database.connections=1",
            "database_wait: avg", .rises),
        .init(
            "backend.server.database.queryTime", .both,
            from: [#"backend.server.database={"connections":1,"queryTime":"1ms"}"#],
            to: "backend.server.database.queryTime=100ms",
            "request_duration: avg", .rises),
        .init(
            "backend.server.database.rowsPerSecond", .both,
            from: [#"backend.server.database={"connections":1,"queryTime":"1ms"}"#],
            to: "backend.server.database.rowsPerSecond=50",
            "request_duration: avg", .rises),
        .init(
            "backend.server.database.endpoints", .declared,
            from: [#"backend.server.database={"connections":1,"queryTime":"100ms"}"#],
            to: #"backend.server.database.endpoints=["me"]"#,
            "request_duration{endpoint:posts}: avg", .falls),
        .init(
            "backend.server.pools[].endpoints", .declared,
            from: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["me"],"workers":1}]"#,
            ],
            to: #"backend.server.pools[0].endpoints=["me","posts","save"]"#,
            "server_wait: avg", .rises),
        .init(
            "backend.server.pools[].workers", .declared,
            from: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":4}]"#,
            ],
            to: "backend.server.pools[0].workers=1",
            "server_wait: avg", .rises),
        .init(
            "backend.server.pools[].queueLimit", .declared,
            from: jam + [#"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":1}]"#],
            to: "backend.server.pools[0].queueLimit=0",
            "request_failed: rate", .rises),
        .init(
            "backend.server.pools[].workerStages", .declared,
            from: [
                "backend.server.serviceTime=100ms",
                #"backend.server.pools=[{"name":"p","endpoints":["posts"],"workers":4}]"#,
            ],
            to: #"backend.server.pools[0].workerStages=[{"at":"5s","workers":1}]"#,
            "server_wait: avg", .rises),
        .init(
            "backend.server.pools[].workerStages[].at", .declared,
            from: [
                "backend.server.serviceTime=100ms",
                pool(at: "50s", workers: 1),
            ],
            to: "backend.server.pools[0].workerStages[0].at=5s",
            "server_wait: avg", .rises),
        .init(
            "backend.server.pools[].workerStages[].workers", .declared,
            from: [
                "backend.server.serviceTime=100ms",
                pool(at: "5s", workers: 4),
            ],
            to: "backend.server.pools[0].workerStages[0].workers=1",
            "server_wait: avg", .rises),
    ]

    private static let load: [SettingEffect] = [
        .init(
            "populations[].load", .both,
            to: #"populations[0].load={"open":{"stages":[{"constant":{"rate":2,"for":"1m"}}]}}"#,
            "journeys: count", .rises),
        .init(
            "populations[].load.closed.pacing", .both,
            to: "populations[0].load.closed.pacing=50s",
            "journeys: count", .falls),
        .init(
            "populations[].load.closed.stages", .both,
            to: #"populations[0].load.closed.stages=[{"users":2,"for":"1m"}]"#,
            "journeys: count", .falls),
        .init(
            "populations[].load.open.spacing", .both,
            from: slow + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":0.4,"for":"1m"}}]}"#
            ],
            to: "populations[0].load.open.spacing=even",
            "server_wait: avg", .falls),
        .init(
            "populations[].load.open.whenNobodyIsFree", .both,
            from: [#"populations[0].load.open={"stages":[{"constant":{"rate":5,"for":"1m"}}]}"#],
            to: "populations[0].load.open.whenNobodyIsFree=refuse",
            "journey_delay: max", .falls),
        .init(
            "populations[].load.open.whoReturns", .declared,
            from: ["populations[0].users=40", "backend.tokens.accessLifetime=7s"] + [
                #"populations[0].load.open={"stages":[{"constant":{"rate":4,"for":"1m"}}]}"#
            ],
            to: "populations[0].load.open.whoReturns=inTurn",
            "expired_responses: count", .rises),
        .init(
            "populations[].load.partlyOpen.whoReturns", .declared,
            from: [
                "populations[0].users=40", "backend.tokens.accessLifetime=7s", partlyOpen("4"),
            ],
            to: "populations[0].load.partlyOpen.whoReturns=inTurn",
            "expired_responses: count", .rises),
        .init(
            "populations[].load.open.stages", .both,
            from: [#"populations[0].load.open={"stages":[{"constant":{"rate":1,"for":"1m"}}]}"#],
            to: #"populations[0].load.open.stages=[{"constant":{"rate":2,"for":"1m"}}]"#,
            "journeys: count", .rises),
        .init(
            "populations[].load.closed.stages[].users", .both,
            from: [#"populations[0].load.closed={"stages":[{"users":9,"for":"1m"}]}"#],
            to: "populations[0].load.closed.stages[0].users=2",
            "journeys: count", .falls),
        .init(
            "populations[].load.closed.stages[].for", .both,
            from: [
                #"populations[0].load.closed={"stages":[{"users":9,"for":"1s"},"#
                    + #"{"users":9,"for":"59s"}]}"#
            ],
            to: "populations[0].load.closed.stages[0].for=50s",
            "journeys: count", .falls),
        .init(
            "populations[].load.partlyOpen.spacing", .both,
            from: slow + [
                partlyOpen("0.4")
            ],
            to: "populations[0].load.partlyOpen.spacing=even",
            "server_wait: avg", .falls),
        .init(
            "populations[].load.partlyOpen.whenNobodyIsFree", .both,
            from: [
                partlyOpen("5")
            ],
            to: "populations[0].load.partlyOpen.whenNobodyIsFree=refuse",
            "journey_delay: max", .falls),
        .init(
            "populations[].load.partlyOpen.stages", .both,
            from: [
                partlyOpen("0.3")
            ],
            to: #"populations[0].load.partlyOpen.stages=[{"constant":{"rate":0.9,"for":"1m"}}]"#,
            "journeys: count", .rises),
        .init(
            "populations[].load.partlyOpen.continue", .both,
            from: [
                partlyOpen("0.2")
            ],
            to: "populations[0].load.partlyOpen.continue=0.9",
            "journeys: count", .rises),
    ]
}
