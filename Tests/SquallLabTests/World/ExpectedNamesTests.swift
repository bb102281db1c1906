import SquallLab
import Testing

@Suite("Names in expectations")
struct ExpectedNamesTests {
    /// What is wrong with an expectation of a metric, in a profile of Scrolly's readers.
    private static func problem(_ metric: String, expects expression: String) throws -> String? {
        let thresholds = #""thresholds": {"\#(metric)": ["\#(expression)"]},"#
        do {
            _ = try Profile.read(
                Array(Profile.minimal(thresholds).utf8), file: "test", vocabulary: .installed)
            return nil
        } catch {
            #expect(error.count == 1)
            return "\(error)"
        }
    }

    @Test(
        "A threshold that no run of the profile can measure is refused, with what was meant",
        arguments: [
            ("requests{endpoint:hastags}", "called 'hastags'. Did you mean 'hashtags'?"),
            ("requests{cause:frist}", "no cause of requests is called 'frist'."),
            ("requests{status:timedout}", "no status is called 'timedout'. Did you mean 'timedOut"),
            ("requests{population:scroly}", "Did you mean 'scrolly'? Known: scrolly"),
            ("requests{app:ootd}", "no app of a population is called 'ootd'. Known: scrolly"),
            ("payments{status:boked}", "Did you mean 'booked'? Known: booked, cancelled, refused"),
            ("visits{status:endet}", "Did you mean 'ended'?"),
            ("steps{step:scrollShop}", "no step of these journeys is called 'scrollShop'."),
            ("steps{journey:shopToEnd}", "no journey of these apps is called 'shopToEnd'."),
            ("steps{journey:read,step:purchase}", "no step of these journeys is called 'purchase'"),
            ("refreshes{cause:hastags}", "no cause is called 'hastags'. Did you mean 'hashtags'?"),
            ("audit_findings{cause:chargdTwice}", "Did you mean 'chargedTwice'?"),
            ("sessions_lost{cause:refrsh 418}", "Did you mean 'refresh 418'?"),
            ("sessions_lost{cause:hashtags seven}", "Known: no call refused"),
        ])
    func refused(metric: String, problem: String) throws {
        let found = try #require(try Self.problem(metric, expects: "count==0"))
        #expect(found.contains(problem))
    }

    @Test(
        "A threshold that a run may measure is not refused",
        arguments: [
            "requests{endpoint:GET /v1}", "requests{endpoint:other requests}",
            "requests{status:444}", "requests{status:timedOut}", "refreshes{cause:unknown}",
            "refreshes{cause:app}", "sessions_lost{cause:refresh 500}",
            "sessions_lost{cause:hashtags 401}", "sessions_lost{cause:GET /v1 timedOut}",
            "steps{app:scrolly,journey:read,step:episode}", "visits{status:ended}",
            "payments{status:booked}",
        ])
    func accepted(metric: String) throws {
        #expect(try Self.problem(metric, expects: "count==0") == nil)
    }

    @Test("An app of one's own is known by the calls, journeys and steps that it declares")
    func declared() throws {
        let problems = { (metric: String) in
            #"{"schemaVersion": 1, \#(Self.own), "thresholds": {"\#(metric)": ["count==0"]}}"#
        }
        let read = { (metric: String) throws in
            try Profile.read(
                Array(problems(metric).utf8), file: "test", vocabulary: .installed)
        }
        #expect(throws: Never.self) { try read("requests{endpoint:orders}") }
        #expect(throws: Never.self) { try read("steps{journey:look,step:home}") }
        for metric in ["requests{endpoint:posts}", "steps{step:main}"] {
            #expect(throws: InvalidProfile.self) { try read(metric) }
        }
    }

    private static let own = """
        "populations": [{ "app": "own", "users": 1, "journeys": { "look": 1 } }],
        "apps": [{
          "name": "own", "screens": [{ "name": "home", "calls": [["orders"]] }],
          "journeys": [{ "name": "look", "steps": ["home"] }]
        }],
        "backend": { "service": { "endpoints": [{ "name": "orders", "path": "/orders" }] } }
        """

    @Test("A service without a call is one problem, which says so")
    func empty() throws {
        for endpoints in [#""endpoints": []"#, #""form": "bearer""#] {
            let text = Self.own.replacing(
                ##""endpoints": [{ "name": "orders", "path": "/orders" }]"##, with: endpoints)
            #expect {
                try Profile.read(
                    Array(#"{"schemaVersion": 1, \#(text)}"#.utf8), file: "test",
                    vocabulary: .installed)
            } throws: { error in
                let problems = error as? InvalidProfile
                return problems?.count == 1
                    && "\(error)".contains("backend.service.endpoints must have at least one call")
            }
        }
    }
}
