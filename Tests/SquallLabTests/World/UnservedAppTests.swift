import Testing

@testable import SquallLab

@Suite("A profile that cannot work")
struct UnservedAppTests {
    @Test(
        "An app on a backend of a generation that it does not speak is refused, with the way out",
        arguments: [
            ("ootd", "2024", false), ("ootd", "2023", true), ("ootd", "both", true),
            ("scrolly", "2023", false), ("scrolly", "2024", true), ("shareD", "both", true),
        ])
    func generations(app: String, generation: String, works: Bool) throws {
        let journey = app == "shareD" ? "community" : "resume"
        let text = """
            {"schemaVersion": 1,
             "populations": [{"app": "\(app)", "users": 1, "journeys": {"\(journey)": 1}}],
             "backend": {"generation": "\(generation)"}}
            """
        let read = {
            try Profile.read(
                Array(text.utf8), file: "x.json", vocabulary: .installed, overrides: [])
        }
        guard !works else {
            _ = try read()
            return
        }
        let error = try #require(throws: InvalidProfile.self) { try read() }
        #expect(error.description.contains("cannot work: it speaks with http://"))
        #expect(error.description.contains("let /backend/generation be another"))
    }
}
