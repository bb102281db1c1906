import SquallApps
import SquallClient
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import SquallRaces
import Testing

@Suite("What a schedule leaves behind")
struct LeftBehindTests {
    @Test(
        "The users are named whose app outlives the schedule, and no others",
        arguments: [([1], "sleep", [1]), ([0, 2], "sleep", [0, 2]), ([0, 1, 2], "doze", [])]
            as [([Int], String, Set<Int>)])
    func users(acting: [Int], step: String, left: Set<Int>) throws {
        let population = PopulationPlan(
            AppDescription(Resting.self), users: 3, journeys: ["rest": 1])
        let scenario = RaceScenario(
            WorldPlan(populations: [population]),
            acts: (0..<3).map { user in
                ScenarioAct(
                    user: user, .step, "rest.\(acting.contains(user) ? step : "wake")")
            }, durationNanoseconds: 5_000_000_000)
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: 1_000)
        #expect(try scenario.play(schedule).leftBehind == left)
    }
}

/// An app whose steps leave a task behind: one for ever, one for ten seconds.
private final class Resting: MobileApp {
    static let name = "resting"
    static let about = "Rests."
    static let designs = ["plain"]
    static let callKinds: [CallKind] = []
    static let journeys = [
        Journey<Resting>(
            "rest", about: "Rests.",
            steps: [
                Step("wake") { _ in .rendered },
                Step("doze") { $0.rest(10) },
                Step("sleep") { $0.rest(.max) },
            ])
    ]
    let needsSignIn = false
    private let time: any TimeSource

    init(device: Device, design: String) { time = device.environment.time }

    private func rest(_ seconds: Int) -> StepOutcome {
        Task.detached { [self] in
            for _ in 0..<seconds { try? await time.sleep(nanoseconds: 1_000_000_000) }
        }
        return .rendered
    }

    func beginStep(_ ordinal: UInt32) {}
    func restore(_ account: StoredAccount) {}
    func signIn() async -> StepOutcome { .rendered }
    func call(_ kind: CallKind) async -> StepOutcome { .nothingToDo }
}
