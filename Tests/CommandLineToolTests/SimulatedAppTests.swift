import SquallApps
import SquallTool
import Testing

@Suite("An app of one's own on the system's networking")
struct SimulatedAppTests {
    @Test("Profiles, drills and explorations know all that its steps say of themselves")
    func steps() {
        let known = InertApp.listing.journeys
        #expect(known.map(\.steps) == InertApp.journeys.map { $0.steps.map(\.description) })
        let steps = known.flatMap(\.steps)
        #expect(steps.filter(\.leaves).map(\.name) == ["signOut"])
        #expect(steps.filter(\.renews).map(\.name) == ["reload"])
        #expect(steps.map(\.scriptedNanoseconds) == [0, 0, 5] && steps[2].readsToEnd)
    }
}

/// An app that only has journeys.
private struct InertApp: SimulatedApp {
    static let name = "inert"
    static let origin = "https://api.example.com"
    static let journeys: [Journey<InertApp>] = [
        Journey(
            "leave", about: "Reloads and signs out.",
            steps: [
                Step("reload", renews: true) { _ in try Task.checkCancellation() },
                Step("signOut", leaves: true) { _ in try Task.checkCancellation() },
                Step(
                    "scroll", scriptedNanoseconds: 5, readsToEnd: true, action: { _ in .rendered }),
            ])
    ]

    init(device: SimulatedDevice) {}

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {}
    func signIn() async throws {}
}
