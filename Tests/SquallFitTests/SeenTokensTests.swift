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

    @Test("Who signs out does so in the profile, by a step that leaves")
    func signOut() throws {
        var traffic = MadeTraffic(seed: 5)
        traffic.add(users: 0..<10, until: 200)
        for user in 0..<10 { traffic.add(user, "/auth/leave", 200, at: 205, for: 0.01) }
        var options = TrafficFit.Options()
        let leave = SeenTokenCalls.Call(method: "POST", path: "/auth/leave")
        options.tokens = SeenTokenCalls(
            logIn: nil, refresh: nil, logOut: leave,
            settings: [("logOut", ["path": "/auth/leave"])])
        let fit = TrafficFit(try traffic.log(), options: options)
        #expect(!fit.endpoints.contains { fit.log.calls[$0].path == "/auth/leave" })
        let text = FittedProfile(fit, file: "a.json").text
        let profile = try JSONParser.parse(Array(text.utf8))
        let app = try #require(profile["apps"]?.elements.first)
        let screens = app["screens"]?.elements.filter { screen in
            let calls = screen["calls"]?.elements.flatMap(\.elements) ?? []
            return calls.contains { $0.string == "logOut" }
        }
        #expect(screens?.isEmpty == false, "\(text)")
        let names = Set(screens?.compactMap { $0.text("name") } ?? [])
        let steps = app["journeys"]?.elements.compactMap { $0["steps"]?.elements } ?? []
        #expect(steps.contains { $0.last?.string.map(names.contains) == true })
        for step in steps.flatMap({ $0.dropLast() }) {
            #expect(step.string.map(names.contains) != true)
        }
    }
}
