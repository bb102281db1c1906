import SquallClient
import SquallKernel
import Synchronization

import SquallApps
import SquallLab

/// A phone in a simulated world, whose network is a scripted server.
final class Phone {
    let simulation: Simulation
    let server: ScriptedServer
    let device: Device
    let payments = ScriptedPayments()

    init(
        policy: any SchedulingPolicy = FirstInFirstOut(),
        configuration: SessionConfiguration = SessionConfiguration()
    ) {
        simulation = Simulation(policy: policy)
        server = ScriptedServer(simulation: simulation)
        let environment = SessionEnvironment(
            transport: server, time: simulation,
            random: CountedRandomness(), configuration: configuration)
        device = Device(
            services: DeviceServices(environment: environment, paymentPage: payments) { _ in
                Credentials(email: "reader@books.example", password: "password")
            }, user: 0)
    }

    /// An app with the account of somebody who signed in earlier, on an expired token.
    func install<App: MobileApp>(_ type: App.Type, design: String = "asBuilt") -> App {
        let app = App(device: device, design: design)
        app.restore(
            StoredAccount(
                userID: "me", email: "reader@books.example", nick: "nick", accessToken: "T0",
                refreshToken: "R"))
        return app
    }

    /// Lets seconds pass while bodies run beside each other; what they returned, those that did.
    @discardableResult
    func run<Value: Sendable>(
        seconds: Double = 100, _ bodies: [@Sendable () async -> Value]
    ) throws -> [Value?] {
        let results = Results<Value>(count: bodies.count)
        for (index, body) in bodies.enumerated() {
            simulation.spawn { results.set(await body(), at: index) }
        }
        let end = simulation.now.advanced(byNanoseconds: Int64(seconds * 1e9))
        _ = try simulation.run(until: end)
        return results.values
    }

    /// Lets seconds pass while a body runs; what it returned, if it did.
    @discardableResult
    func run<Value: Sendable>(
        seconds: Double = 100, _ body: @escaping @Sendable () async -> Value
    ) throws -> Value? {
        try run(seconds: seconds, [body])[0]
    }

    /// Lets taps be made at the same instant; what each of them came to.
    @discardableResult
    func together(
        seconds: Double = 100, _ taps: (@Sendable () async -> StepOutcome)...
    ) throws -> [StepOutcome?] {
        try run(seconds: seconds, taps)
    }

    /// Makes so many calls of a model at once; what became of them after ten seconds.
    @discardableResult
    func modelCalls(
        _ count: Int, of description: AppDescription, _ design: String
    ) throws -> [StepOutcome?] {
        let app = description.install(device, design)
        app.restore(
            StoredAccount(
                userID: "me", email: "reader@books.example", nick: "nick", accessToken: "T0",
                refreshToken: "R"))
        return try run(
            seconds: 9.5, Array(repeating: { @Sendable in await app.call(.model) }, count: count))
    }

    /// Takes every step of a journey, one after the other.
    func walk<App: MobileApp>(_ journey: String, of type: App.Type, _ app: App) throws {
        for walked in App.journeys where walked.name == journey {
            for step in walked.steps { try run { await step.action(app) } }
        }
    }

    /// Where requests came to wait for ever, in order.
    var parked: [String] {
        device.environment.parkedRequests.map { "\($0.lost.interceptor).\($0.lost.place)" }
    }

    deinit {
        let environment = device.environment
        simulation.spawn { environment.releaseParkedRequests() }
        _ = try? simulation.run(until: simulation.now)
    }
}

/// What bodies returned.
private final class Results<Value: Sendable>: Sendable {
    private let state: Mutex<[Value?]>

    init(count: Int) { state = Mutex(Array(repeating: nil, count: count)) }

    var values: [Value?] { state.withLock { $0 } }

    func set(_ value: Value, at index: Int) { state.withLock { $0[index] = value } }
}

/// A payment page that does at once what the test says.
final class ScriptedPayments: PaymentPage {
    private let state = Mutex<
        (callback: PaymentCallback, merchantUIDs: [String], amounts: [Int])
    >((PaymentCallback(isSuccess: true, impUID: "imp_1"), [], []))

    var callback: PaymentCallback {
        get { state.withLock { $0.callback } }
        set { state.withLock { $0.callback = newValue } }
    }

    /// The app's own numbers of the payments it asked for.
    var merchantUIDs: [String] { state.withLock { $0.merchantUIDs } }
    /// The prices that it asked for.
    var amounts: [Int] { state.withLock { $0.amounts } }

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        state.withLock { state in
            state.merchantUIDs.append(merchantUID)
            state.amounts.append(amount)
            return state.callback
        }
    }
}

/// Randomness that spreads ordinals evenly.
private struct CountedRandomness: RandomSource {
    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 {
        (ordinal &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }
}
