import SquallFormat
import Testing

@testable import SquallFit

/// Calls about tokens that were seen with their tokens need not be guessed from a log.
@Suite("Seen calls about tokens")
struct SeenTokensTests {
    @Test("They have their places in the profile, and are no calls of its screens")
    func seen() throws {
        var traffic = MadeTraffic(seed: 5)
        traffic.add(users: 0..<10, until: 200)
        for user in 0..<10 {
            for (path, time) in [("/auth/enter", 0.0), ("/auth/leave", 210.0)] {
                traffic.add(user, path, 200, at: time, for: 0.01)
            }
        }
        func call(_ path: String) -> SeenTokenCalls.Call {
            SeenTokenCalls.Call(method: "POST", path: path)
        }
        var options = TrafficFit.Options()
        options.tokens = SeenTokenCalls(
            logIn: call("/auth/enter"), refresh: call("/auth/refresh"), logOut: call("/hidden"),
            settings: [
                ("logIn", ["path": "/auth/enter"]), ("refresh", ["path": "/auth/refresh"]),
                ("logOut", ["path": "/hidden"]), ("delivery", ["json": ["access": "data.jwt"]]),
            ])
        let fit = TrafficFit(try traffic.log(), options: options)
        let paths = fit.endpoints.map { fit.log.calls[$0].path }
        #expect(Set(paths) == ["/home", "/me", "/list", "/auth/leave"])
        let text = FittedProfile(fit, file: "a.json").text
        for part in ["logIn", "delivery", "data.jwt"] { #expect(text.contains("\"\(part)\"")) }
        #expect(text.contains(#""path": "/auth/enter""#) && !text.contains("/hidden"))
    }
}
