import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel

/// A screen of an app, and the way there.
struct ScreenScene: Sendable {
    /// The name of its step.
    let screen: String
    /// The journey and the step's place in it; nil for the sign-in screen.
    let step: (journey: Int, place: Int)?
    /// The seed of the world, which decides what lists contain and what the user taps on.
    let seed: UInt64

    /// The sign-in screen.
    static let signIn = ScreenScene(screen: "signIn", step: nil, seed: 1)
}

/// A phone and the app's server: the user walks to a screen, whose calls are then answered in one
/// way.
final class ResponseWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private static let patienceNanoseconds = 120 * Span.second

    private let world: PhoneWorld
    private var ordinal: UInt32 = 0
    var transport: NotedTransport { world.transport }

    init(_ subject: DesignSubject, seed: UInt64) {
        world = StagedPage.inWorld(of: subject, seed: seed).0
    }

    /// The calls of each of a journey's steps, in the order of their first attempts; pictures,
    /// which no screen waits for, are left out.
    ///
    /// - Throws: what stops a simulation.
    func calls(ofJourney journey: Int) throws -> [[String]] {
        world.app.restore(world.account())
        return try world.play { [self] in
            var steps: [[String]] = []
            for place in world.subject.app.journeys[journey].steps.indices {
                let before = transport.sends.count
                _ = await take((journey, place))
                steps.append(calls(since: before))
            }
            return steps
        }
    }

    /// The calls of the sign-in screen.
    ///
    /// - Throws: what stops a simulation.
    func callsOfSignIn() throws -> [String] {
        try world.play { [self] in
            _ = await take(nil)
            return calls(since: 0)
        }
    }

    /// What the user of a screen sees when one of its calls is answered in a way, or when its token
    /// has expired; nil where no call says that it has.
    ///
    /// - Throws: what stops a simulation.
    func seen(
        of scene: ScreenScene, call: String?, answered response: ResponseCase
    ) throws -> String? {
        if scene.step != nil { world.app.restore(world.account()) }
        return try world.play { [self] in
            if let step = scene.step {
                for place in 0..<step.place { _ = await take((step.journey, place)) }
            }
            if response.isExpired { world.backend.expireAccessTokens() }
            if let refresh = response.refresh {
                transport.fail(refresh, once: false, where: \.isRefresh)
            }
            if let failure = response.call {
                transport.fail(failure, once: false) { $0.endpoint.name == call }
            }
            let wasOutside = world.app.needsSignIn
            let before = transport.sends.count
            let outcome = await take(scene.step)
            if response.isExpired {
                let expired = transport.status(of: .accessTokenExpired)
                let sends = transport.sends.dropFirst(before).filter(\.isOfScreens)
                guard sends.contains(where: { $0.status == expired }) else { return nil }
            }
            guard let outcome else { return "waits for ever" }
            let isLeft = !wasOutside && world.app.needsSignIn && outcome != .loggedOut
            return outcome.label + (isLeft ? ", then signed out" : "")
        }
    }

    private func calls(since before: Int) -> [String] {
        transport.sends.dropFirst(before).filter(\.isOfScreens).reduce(into: []) { names, send in
            if !names.contains(send.endpoint.name) { names.append(send.endpoint.name) }
        }
    }

    /// Takes a step, or signs in; nil if the screen still waits after two minutes.
    private func take(_ step: (journey: Int, place: Int)?) async -> StepOutcome? {
        ordinal += 1
        world.app.beginStep(ordinal)
        let outcome = await world.patiently(nanoseconds: Self.patienceNanoseconds) { [world] in
            guard let step else { return await world.app.signIn() }
            return await world.app.perform(step: step.place, ofJourney: step.journey)
        }
        // What no screen waits for comes to its end meanwhile.
        try? await world.simulation.sleep(nanoseconds: 20 * Span.second)
        return outcome
    }
}
