import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("Every setting acts")
struct SettingEffectTests {
    /// Settings without a pair here, and why; a longer path is meant, too.
    private static let elsewhere: [String: String] = [
        "backend.tokens.reuseGenerations": "needs a token of two refreshes ago: RefreshFamilyTests",
        "backend.tokens.replaysUnusedChild": "needs a lost refresh: RefreshFamilyTests",
        "backend.tokens.reuseEndsSiblings": "needs siblings: ProbeHabitTests",
        "backend.tokens.revocationLag": "needs a revocation and its race: RefreshFamilyTests",
        "backend.tokens.reuseRevokesFamily": "needs a reuse after a leeway: RefreshFamilyTests",
        "backend.tokens.replaysAccessToken": "needs a replay: TokenPresetTests",
        "backend.tokens.parallelRefreshes": "needs refreshes together: RefreshFamilyTests",
        "backend.tokens.parallelWindow": "needs refreshes together: RefreshFamilyTests",
        "backend.tokens.refreshedLifetime": "TokenPresetTests",
        "backend.server.retryAfter": "a header that no built-in client heeds: RateLimitTests",
        "backend.network.classes": "ConnectionFaultTests",
        "backend.network.connections": "each has closed answers: ConnectionTests",
        "backend.server.pools[].name": "a name",
        "backend.service": "how tokens travel and what calls cost: DeclaredTests",
        "backend.faults": "FaultTests, and the profiles that have faults",
        "backend.generation": "which protocols are spoken: OriginTests",
        "backend.content": "SeededListsTests",
        "backend.payments": "PaymentTests",
        "backend.catalogue": "CatalogueTests",
        "apps[].tokens.asksTwice": "needs a response that is not JSON: DeclaredTests",
        "apps[].tokens.advisory": "needs a refresh that fails in advance: ClockDesignTests",
        "apps[].tokens.aheadJitter": "ClockDesignTests",
        "apps[].tokens.dropsRefused": "needs a clock that is wrong: ClockDesignTests",
        "apps[].tokens.resendJitter": "ClockDesignTests",
        "apps[].tokens.missingLifetime": "needs a response without a life: ClockDesignTests",
        "apps[].tokens.renewal": "needs a sign-in that renews: ClockDesignTests",
        "apps[].tokens.refreshRetries": "ClockDesignTests",
        "apps[].tokens.heedsRetryAfter": "needs a Retry-After: ClockDesignTests",
        "apps[].tokens.refreshProbes": "the preset x-oauth2: PresetTableTests",
        "apps[].tokens.waitersAfterSuccess": "needs a token shorter than ahead: ClockDesignTests",
        "apps[].tokens.waitersAfterFailure": "ClockDesignTests",
        "apps[].screens[].name": "a name",
        "apps[].journeys[].name": "a name",
        "apps[].journeys[].about": "a sentence for readers",
        "apps[].journeys[].steps[].screen": "the name of a screen",
        "warmUp.rule": "WarmUpRuleTests",
        "populations[].name": "a name",
        "populations[].app": "which app it is: AppRunTests",
        "populations[].habitsOf": "the same random numbers for another app: ComparisonTests",
        "populations[].load.closed": "the default; what is in it has pairs",
        "populations[].load.open": "what is in it has pairs",
        "populations[].load.partlyOpen": "what is in it has pairs",
    ]

    /// Sections whose settings these tests are about.
    private static let sections = [
        "backend.", "populations[]", "apps[].tokens", "apps[].screens", "apps[].journeys",
        "duration", "warmUp", "drain",
    ]

    @Test("Each setting has a pair of profiles that differ in it, or a reason why it has none")
    func complete() {
        let paired = Set(SettingEffect.all.map(\.path))
        let groups: Set = [
            "backend.tokens", "backend.network", "backend.server", "apps[].tokens", "warmUp",
            "apps[].screens", "apps[].screens[].calls", "apps[].journeys",
            "apps[].journeys[].steps",
            "populations[].retryPolicy",
        ]
        let missing = Profile.settings(.installed).reference.map(\.path).filter { path in
            guard Self.sections.contains(where: path.hasPrefix), !groups.contains(path) else {
                return false
            }
            let isElsewhere = Self.elsewhere.keys.contains {
                path == $0 || path.hasPrefix($0 + ".") && !$0.hasPrefix("populations")
                    || path.hasPrefix($0 + "[]")
            }
            return !paired.contains(path) && !isElsewhere
        }
        #expect(missing == [])
    }

    @Test(
        "A setting moves its figure in the direction that is stated", arguments: SettingEffect.all)
    func acts(effect: SettingEffect) throws {
        for world in effect.worlds.names {
            // The built-in app has no token design of its own to be set.
            let base = effect.base.filter { world == "declared" || !$0.hasPrefix("apps") }
            let (before, after) = (
                try observed(effect, world, base),
                try observed(effect, world, base + [effect.change])
            )
            #expect(
                effect.direction == .rises ? after > before : after < before,
                "\(world): \(before) → \(after)")
        }
    }

    private func observed(
        _ effect: SettingEffect, _ world: String, _ settings: [String]
    ) throws -> Double {
        let text = world == "declared" ? Self.declared : Self.builtIn
        let halves = effect.figure.split(separator: ": ").map(String.init)
        let limit = halves[1] == "rate" ? "0.99" : halves[1] == "count" ? "1000000" : "1h"
        let overrides = try settings.map { try #require(ProfileOverride(setting: $0)) }
        let profile = try Profile.read(
            Array(
                text.replacing("THRESHOLDS", with: "\"\(halves[0])\": [\"\(halves[1])<\(limit)\"]")
                    .utf8), file: "test", vocabulary: .installed, overrides: overrides)
        let run = LoadRun(profile: profile, named: "test", options: .init(replayCommand: ""))
        let result = try run.run { _ in .continue }.summary.thresholds.first?.observed
        return try #require(result).magnitude
    }

    private static let people = """
        "users": 10, "thinkTime": "2s", "away": "4s", "arriveOver": "2s", "patience": "30s"
        """

    private static let backend = """
        "tokens": { "accessLifetime": "20s" }, "network": { "up": "20ms", "down": "20ms" },
        "server": { "workers": 4, "serviceTime": "20ms" }
        """

    private static let builtIn = """
        { "schemaVersion": 1, "duration": "1m", "thresholds": { THRESHOLDS },
          "populations": [
            { "app": "scrolly", "journeys": { "read": 1, "comment": 1 }, \(people) }],
          "backend": { \(backend) } }
        """

    private static let declared = """
        { "schemaVersion": 1, "duration": "1m", "thresholds": { THRESHOLDS },
          "populations": [{ "app": "mine", "journeys": { "read": 1 }, \(people) }],
          "apps": [{ "name": "mine",
            "screens": [
              { "name": "home", "calls": [["posts", "me"]] },
              { "name": "list",
                "calls": [["posts"], [{ "endpoint": "posts", "page": "next" }]] },
              { "name": "write", "calls": [["save"]] }],
            "journeys": [{ "name": "read", "steps": ["home", "list", "write"] }] }],
          "backend": { \(backend),
            "service": { "endpoints": [
              { "name": "posts", "path": "/posts", "rows": 10, "bytes": 500,
                "list": { "by": "offset", "objects": 40 } },
              { "name": "me", "path": "/me", "bytes": 2000 },
              { "name": "save", "method": "POST", "path": "/save", "requestBytes": 5000 }] } } }
        """
}

extension SettingEffect: CustomTestStringConvertible {
    var testDescription: String { path }
}

/// A pair of small profiles that differ in one setting, and the figure that tells them apart.
struct SettingEffect: Sendable {
    /// The setting as the reference names it.
    let path: String
    let worlds: Worlds
    /// What both profiles have beside the base.
    let base: [String]
    /// What one of them has more.
    let change: String
    /// The figure, as a threshold names it.
    let figure: String
    private(set) var direction: Direction

    /// The services on which the pair is run.
    enum Worlds: Sendable {
        case builtIn, declared, both

        var names: [String] {
            switch self {
            case .builtIn: ["built-in"]
            case .declared: ["declared"]
            case .both: ["built-in", "declared"]
            }
        }
    }

    enum Direction: String, Sendable { case rises, falls }

    /// A pair whose second profile has one setting more, which moves a figure; the setting is the
    /// one that is set, or the one `of` which a larger part is.
    init(
        _ change: String, of path: String? = nil, in worlds: Worlds = .both,
        beside base: [String] = [], raises figure: String
    ) {
        let setting = String(change.prefix { $0 != "=" })
        self.path = path ?? setting.replacing(/\[\d+\]/, with: "[]")
        (self.worlds, self.base, self.change) = (worlds, base, change)
        (self.figure, direction) = (figure, .rises)
    }

    init(
        _ change: String, of path: String? = nil, in worlds: Worlds = .both,
        beside base: [String] = [], lowers figure: String
    ) {
        self.init(change, of: path, in: worlds, beside: base, raises: figure)
        direction = .falls
    }
}
