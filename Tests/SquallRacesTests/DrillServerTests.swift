import SquallBackend
@testable import SquallRaces
import Testing

@Suite("Servers of drills")
struct DrillServerTests {
    @Test(
        "The nearest to a service is the one on which a client has most to lose as there",
        arguments: [
            (RefreshSemantics.coexist, "lenient"), (.early409, "lenient"),
            (.rotatingStrict, "strict"), (.oneShot, "oneShot"),
            (.rotatingWithLeeway(windowNanoseconds: 30_000_000_000, generations: 2), "leeway"),
            (.rotatingWithLeeway(windowNanoseconds: 0, generations: 1), "strict"),
            (.rotatingWithReplay(windowNanoseconds: 1, parentOfActive: false), "leeway"),
            (.rotatingWithReplay(windowNanoseconds: 0, parentOfActive: false), "strict"),
        ])
    func nearest(semantics: RefreshSemantics, name: String) {
        #expect(DrillServer.nearest(to: semantics).name == name)
        #expect(DrillServer.all.contains { $0.name == name })
    }

    @Test("A lenient server and one with a leeway take a token again whose response was lost")
    func again() {
        #expect(DrillServer.all.filter(\.takesTokenAgain).map(\.name) == ["lenient", "leeway"])
    }
}
