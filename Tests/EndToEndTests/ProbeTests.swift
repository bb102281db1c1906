import Foundation
import Testing

@Suite("A real token service that is probed")
struct ProbeTests {
    @Test("A probe reads a service's rules over real connections and writes a profile that runs")
    func served() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try Self.profile.write(
            to: tool.folder.appending(path: "load.json"), atomically: true, encoding: .utf8)
        let probe =
            "squall probe \"$base\" --profile load.json --for 10s --burst 0 --json -o seen.json"
            + " > probe.json && squall validate seen.json"
        let outcome = try tool.script(ServeTests.serving("load.json", probe), shell: ["sh"])
        let told = String(
            decoding: try Data(contentsOf: tool.folder.appending(path: "probe.json")),
            as: UTF8.self)
        #expect(told.contains(#""backend.tokens.refresh" : "coexist""#), "\(outcome.errors)")
        #expect(told.contains(#""backend.tokens.accessLifetime" : "1s""#))
        #expect(told.contains(#""drillServer" : "lenient""#))
        #expect(!told.contains("password-0"))
    }

    @Test(
        "squall probe refuses another machine, a missing file and a service that cannot be called",
        arguments: [
            ("http://192.0.2.1:80", 64, "--i-own 192.0.2.1"),
            ("http://127.0.0.1:1", 74, "127.0.0.1:1 cannot be reached"),
            ("http://127.0.0.1:1 --sign-in-path login", 64, "must be a path such as"),
            ("http://127.0.0.1:1 --sign-in-path /login", 64, "who signs in?"),
            ("http://127.0.0.1:1 --sign-in-path /login --user ann", 64, "SQUALL_PASSWORD"),
            ("http://127.0.0.1:1 --profile load.json --page load.json", 64, "which is read"),
            (
                "http://127.0.0.1:1 --profile load.json --user ann --accounts a.csv", 64,
                "both say who signs in"
            ),
            ("http://127.0.0.1:1 --profile load.json --token-header a:b", 64, "got 'a:b'"),
            ("http://127.0.0.1:1 --profile load.json --client-auth body", 64, "--client-id"),
            (
                "http://127.0.0.1:1 --profile load.json --field client_secret=x", 64,
                "SQUALL_CLIENT_SECRET"
            ),
        ] as [(String, Int32, String)])
    func refused(words: String, status: Int32, reason: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let file = tool.folder.appending(path: "load.json")
        try Self.profile.write(to: file, atomically: true, encoding: .utf8)
        let outcome = try tool.run(["probe"] + words.split(separator: " ").map(String.init))
        #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.profile)
    }

    private static let profile = """
        { "schemaVersion": 1, "duration": "60s",
          "populations": [{ "app": "mine", "users": 2, "journeys": { "read": 1 } }],
          "apps": [{ "name": "mine", "screens": [{ "name": "home", "calls": [["me"]] }],
            "journeys": [{ "name": "read", "steps": ["home"] }] }],
          "backend": { "tokens": { "accessLifetime": "1s", "refresh": "coexist" },
            "network": { "up": "0ms", "down": "0ms" }, "server": { "serviceTime": "1ms" },
            "service": { "endpoints": [{ "name": "me", "path": "/me" }] } } }
        """
}
