import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab

/// A story, and the cost of its taps before and after.
struct StoryResult: Sendable {
    let story: DesignStory
    /// The cost on the earlier and on the later design.
    let costs: [StoryCost]

    /// Plays all stories of an app.
    ///
    /// - Throws: what stops a simulation.
    static func all(of app: AppDescription, in place: DesignPlace) throws -> [StoryResult] {
        try app.stories.map { story in
            StoryResult(
                story: story,
                costs: try [story.before, story.after].map {
                    try PhoneWorld.cost(of: story, DesignSubject(app, design: $0, in: place))
                })
        }
    }

    /// The headings of the columns after the first one.
    static let headings = [
        "before → after", "served", "refreshes", "attempts", "sign-ins", "waited",
    ]

    /// The cells after the title, in the order of ``headings``.
    var cells: [String] {
        let figures: [(StoryCost) -> String] = [
            { "\($0.served)/\($0.taps)" }, { "\($0.refreshes)" }, { "\($0.attempts)" },
            { "\($0.signIns)" }, { Units.approximate(nanoseconds: $0.waitedNanoseconds) },
        ]
        return [[story.before, story.after].joined(separator: " → ")]
            + figures.map { figure in costs.map(figure).joined(separator: " → ") }
    }
}

/// The cost of a story's taps on one design.
struct StoryCost: Sendable {
    var taps = 0
    /// The number of taps that showed what the user wanted.
    var served = 0
    /// Refreshes that were sent.
    var refreshes = 0
    /// All other attempts, except sign-ins.
    var attempts = 0
    /// The number of times that the user had to sign in.
    var signIns = 0
    /// The user's waits in nanoseconds, all together.
    var waitedNanoseconds: Int64 = 0
}

/// A user who signs in again where they have to, and who gives a tap up after half a minute.
extension PhoneWorld {
    /// The cost of a story's taps with an app's design.
    ///
    /// - Throws: what stops a simulation.
    static func cost(of story: DesignStory, _ subject: DesignSubject) throws -> StoryCost {
        let world = PhoneWorld(subject, backendPlan: .ofOnePhone())
        world.signIn()
        return try world.play { await world.cost(of: story) }
    }

    private func cost(of story: DesignStory) async -> StoryCost {
        for tap in story.preparation { _ = await take(tap) }
        let sent = transport.sends.count
        var cost = StoryCost()
        for tap in story.taps {
            let (isServed, signIns, waited) = await take(tap)
            cost.taps += 1
            cost.served += isServed ? 1 : 0
            cost.signIns += signIns
            cost.waitedNanoseconds += waited
        }
        let sends = transport.sends.dropFirst(sent)
        cost.refreshes = sends.count { $0.endpoint.role == .refresh }
        cost.attempts = sends.count { $0.endpoint.role == .ordinary }
        return cost
    }

    /// Performs a tap; after a sign-in, if that was necessary, performs it again.
    private func take(_ tap: StoryTap) async -> (isServed: Bool, signIns: Int, waited: Int64) {
        try? await simulation.sleep(nanoseconds: 10 * Span.second)
        if tap.isExpired { backend.expireAccessTokens() }
        for _ in 0..<tap.failedRefreshes {
            transport.fail(.status(500), where: \.isRefresh)
        }
        for _ in 0..<tap.failedCalls {
            transport.fail(.status(500)) { $0.endpoint.role == .ordinary }
        }
        let began = simulation.now.nanoseconds
        var outcome = await attempt(tap)
        var signIns = 0
        if app.needsSignIn {
            signIns = 1
            _ = await step(patience: 30 * Span.second) { [app] in await app.signIn() }
            outcome = await attempt(tap)
        }
        let waited = simulation.now.nanoseconds - began
        return (outcome?.isSuccess == true, signIns, waited)
    }

    /// The outcome of a tap for a user with limited patience; a user who gives up closes the app,
    /// which also ends endless repetitions.
    private func attempt(_ tap: StoryTap) async -> StepOutcome? {
        let outcome = await step(patience: 30 * Span.second) { [self] in
            await perform(tap.action)
        }
        if outcome == nil {
            transport.isClosed = true
            try? await simulation.sleep(nanoseconds: Span.second)
            transport.isClosed = false
        }
        return outcome
    }

    private func perform(_ action: StoryTap.Action) async -> StepOutcome {
        switch action {
        case .calls(let kind, let count):
            return await withTaskGroup(of: StepOutcome.self) { group in
                for _ in 0..<count { group.addTask { await self.app.call(kind) } }
                return await group.reduce(StepOutcome.rendered) { $1.isSuccess ? $0 : $1 }
            }
        case .step(let name, let step):
            let journey = subject.population.index(of: name)
            return await app.perform(step: step, ofJourney: journey)
        }
    }
}
