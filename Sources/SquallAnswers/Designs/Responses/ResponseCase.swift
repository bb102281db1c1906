import SquallApps
import SquallBackend

/// The responses to a screen's calls in one row of the table.
struct ResponseCase: Sendable {
    /// The response in words, as the head of a row.
    let words: String
    /// The response to the call; `nil` if the server performs it.
    private(set) var call: ScriptedTransport.Failure?
    /// True if the access token has expired before the tap, which concerns every call.
    private(set) var isExpired = false
    /// The response to the refresh; `nil` for a new token.
    private(set) var refresh: ScriptedTransport.Failure?

    /// The responses to one call: every status that the apps' service has, and two of other
    /// services, then none at all and one without content.
    static let ofOneCall =
        [400, 401, 402, 403, 404, 409, 410, 420, 429, 444, 445, 500, 503].map {
            ResponseCase(words: "\($0)", call: .status($0))
        } + [
            ResponseCase(words: "no response", call: .lost),
            ResponseCase(words: "200, unreadable", call: .undecodable),
        ]

    /// The responses to the refresh of a screen whose token has expired, in the statuses of a
    /// service.
    static func ofExpiry(_ transport: ScriptedTransport) -> [ResponseCase] {
        let dead = ServiceError.signedOut
        let refreshes: [(String, ScriptedTransport.Failure?)] = [
            ("refresh 200", nil), ("refresh \(transport.status(of: dead))", .refused(dead)),
            ("refresh 500", .status(500)), ("no response to the refresh", .lost),
            ("refresh 200, unreadable", .undecodable),
        ]
        return refreshes.map { words, refresh in
            ResponseCase(words: words, isExpired: true, refresh: refresh)
        }
    }
}

/// A screen of an app, and the way there.
struct ScreenScene: Sendable {
    /// The name of its step.
    let screen: String
    /// The journey and the step's place in it; nil for the sign-in screen.
    let step: (journey: Int, place: Int)?
    /// The seed of the world, which decides what lists contain and what the user taps on.
    let seed: UInt64

    static let signIn = ScreenScene(screen: "signIn", step: nil, seed: 1)
}

/// The user walks to a screen, of which the calls then get one kind of response.
extension PhoneWorld {
    /// The calls of each of a journey's steps, in the order of their first attempts; pictures,
    /// which no screen waits for, are left out.
    ///
    /// - Throws: what stops a simulation.
    func calls(ofJourney journey: Int) throws -> [[String]] {
        signIn()
        return try play { [self] in
            var steps: [[String]] = []
            for place in subject.app.journeys[journey].steps.indices {
                let before = transport.sends.count
                _ = await show((journey, place))
                steps.append(calls(since: before))
            }
            return steps
        }
    }

    /// The calls of the sign-in screen.
    ///
    /// - Throws: what stops a simulation.
    func callsOfSignIn() throws -> [String] {
        try play { [self] in
            _ = await show(nil)
            return calls(since: 0)
        }
    }

    /// The outcome for a screen's user when one of its calls gets a response, or when its token has
    /// expired; `nil` where no response says that it has.
    ///
    /// - Throws: what stops a simulation.
    func seen(
        of scene: ScreenScene, call: String?, answered response: ResponseCase
    ) throws -> String? {
        if scene.step != nil { signIn() }
        return try play { [self] in
            if let step = scene.step {
                for place in 0..<step.place { _ = await show((step.journey, place)) }
            }
            if response.isExpired { backend.expireAccessTokens() }
            if let refresh = response.refresh {
                transport.fail(refresh, once: false, where: \.isRefresh)
            }
            if let failure = response.call {
                transport.fail(failure, once: false) { $0.endpoint.name == call }
            }
            let wasOutside = app.needsSignIn
            let before = transport.sends.count
            let outcome = await show(scene.step)
            if response.isExpired {
                let expired = transport.status(of: .accessTokenExpired)
                let sends = transport.sends.dropFirst(before).filter(\.isOfScreens)
                guard sends.contains(where: { $0.status == expired }) else { return nil }
            }
            guard let outcome else { return "waits for ever" }
            let isLeft = !wasOutside && app.needsSignIn && outcome != .loggedOut
            return outcome.label + (isLeft ? ", then signed out" : "")
        }
    }

    private func calls(since before: Int) -> [String] {
        transport.sends.dropFirst(before).filter(\.isOfScreens).reduce(into: []) { names, send in
            if !names.contains(send.endpoint.name) { names.append(send.endpoint.name) }
        }
    }
}
