import Squall
import SquallApps
import SquallClient

/// A simulated app on one user's device: started when the user acts, ended when they leave.
final class InstalledClient<App: SimulatedApp>: MobileApp, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    static var name: String { App.name }
    static var about: String { App.about }
    static var designs: [String] { App.designs }
    static var origin: String { App.origin }
    static var callKinds: [CallKind] { [.model] }
    /// For lists only; the app's own journeys are performed.
    static var journeys: [Journey<InstalledClient<App>>] {
        App.journeys.enumerated().map { number, journey in
            Journey<InstalledClient<App>>(
                journey.name, about: journey.about, goal: journey.goal, launch: journey.launch,
                steps: journey.steps.enumerated().map { place, step in
                    Step<InstalledClient<App>>(step.description) {
                        await $0.perform(step: place, ofJourney: number)
                    }
                })
        }
    }

    private let device: SimulatedDevice
    private var app: App?
    private var isSignedIn = false
    /// How many steps have ended by themselves and are still to be reported as ended.
    private var stepsEnded = 0

    init(device: Device, design: String) {
        self.device = SimulatedDevice(
            device, design: design, storage: App.storage(of: Int(device.user)))
    }

    var needsSignIn: Bool { !isSignedIn }

    var storedTokens: TokenPair {
        App.storedTokens(on: device)
    }

    /// The device, for which all code of the app runs, including its tasks.
    var holder: AnyObject { device }

    func beginStep(_ ordinal: UInt32) { device.beginStep(ordinal) }

    /// Closes the open steps, unless this step's code has ended and closed its own.
    func stepEnded() {
        guard stepsEnded == 0 else { return stepsEnded -= 1 }
        device.endSteps()
    }

    func restore(_ account: StoredAccount) {
        CurrentOwner.$owner.withValue(device) { App.restore(account, on: device) }
        isSignedIn = true
    }

    func processStarted() { app = nil }

    func visitEnded() {
        if !App.staysInMemory { app = nil }
        device.restIdle()
    }

    func signIn() async -> StepOutcome {
        let outcome = await perform("sign-in") { app in
            do {
                try await app.signIn()
                return .rendered
            } catch {
                return app.outcome(of: error)
            }
        }
        isSignedIn = outcome.isSuccess
        return outcome
    }

    func perform(step: Int, ofJourney journey: Int) async -> StepOutcome {
        let journey = App.journeys[journey]
        let step = journey.steps[step]
        return await perform("\(journey.name) · \(step.name)", step.action)
    }

    func call(_ kind: CallKind) async -> StepOutcome {
        guard let step = App.journeys.first?.steps.first else { return .nothingToDo }
        return await perform(step.name, step.action)
    }

    private func perform(
        _ name: String, _ action: @Sendable (App) async -> StepOutcome
    ) async -> StepOutcome {
        let step = device.step
        step?.name = name
        let outcome = await CurrentOwner.$owner.withValue(step ?? device) { await action(running) }
        if let step, device.end(step) { stepsEnded += 1 }
        if outcome == .loggedOut { isSignedIn = false }
        return outcome
    }

    /// The app, which starts if it does not run.
    private var running: App {
        if let app { return app }
        let started = App(device: device)
        app = started
        return started
    }
}
