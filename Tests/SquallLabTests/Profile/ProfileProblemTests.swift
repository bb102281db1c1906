import SquallLab
import Testing

@Suite("Problems of a profile")
struct ProfileProblemTests {
    @Test(
        "A problem of the profile says where it is, what was found and what would be right",
        arguments: [
            (#""sede": 1,"#, "/sede", "sede is not a setting. Did you mean 'seed'?"),
            (
                #""colour": 1,"#, "/colour",
                "colour is not a setting. Known: $schema, schemaVersion, "
            ),
            (#""question": 7,"#, "/question", "question must be a text, got 7"),
            (
                #""seed": -1,"#, "/seed",
                #"must be 0…18446744073709551615 or a text like "0x2a", got -1"#
            ),
            (#""seed": true,"#, "/seed", "got true"),
            (#""duration": "500ms","#, "/duration", "duration must be 1s…366d, got 500ms"),
            (#""duration": "367d","#, "/duration", "duration must be 1s…366d, got 367d"),
            (
                #""duration": 600,"#, "/duration",
                #"must be a duration in quotes, such as "30s", got 600"#
            ),
            (#""duration": "10","#, "/duration", "'10' needs a unit"),
            (#""backend": [],"#, "/backend", "backend must be an object, got an empty list"),
            (
                #""backend": {"generation": "2042"},"#, "/backend/generation",
                #"must be 2023 or 2024 or both, got "2042". Did you mean '2024'?"#
            ),
            (
                #""backend": {"content": {"episodesPerNovelMin": 60}},"#,
                "/backend/content/episodesPerNovelMax",
                "must be at least episodesPerNovelMin (60), got 50"
            ),
            (
                #""backend": {"content": {"bookPosts": 5000000, "novels": 100000,"#
                    + #" "episodesPerNovelMax": 120}},"#,
                "/backend/content", "must be at most 16 000 000 posts, got up to 17100400"
            ),
            (
                #""backend": {"faults": [{"kind": "expireAllTokens", "at": "11m"}]},"#,
                "/backend/faults/0/at", "must not be after the end of the run at 10m, got 11m"
            ),
            (
                #""backend": {"faults": [{"at": "1m"}]},"#, "/backend/faults/0/kind",
                "kind is missing: what happens"
            ),
            (
                #""caches": {"encoding": "yes"},"#, "/caches/encoding",
                #"must be true or false, got "yes""#
            ),
            (
                #""output": {"timeseriesInterval": "100.5ms"},"#, "/output/timeseriesInterval",
                "must be whole milliseconds, got 100.5ms"
            ),
            (
                #""duration": "30d", "output": {"timeseriesInterval": "1s"},"#,
                "/output/timeseriesInterval",
                "longer for a duration of 30d: a time series has at most 1 000 000 rows,"
                    + " got 2 592 000"
            ),
            (
                #""backend": {"tokens": {"accessLifetime": "5m", "lifetimeJitter": "6m"}},"#,
                "/backend/tokens/lifetimeJitter",
                "must be at most backend.tokens.accessLifetime, which is 5m; got 6m"
            ),
            (
                #""question": "\u001b[2Jgone","#, "/question",
                "question must have no control characters, got U+1B"
            ),
            (
                #""question": "\u202edetrevni","#, "/question",
                "question must have no control characters, got U+202E"
            ),
            (
                #""thresholds": {"requests{endpoint:\u001b[31m}": ["count<1"]},"#,
                "/thresholds/requests{endpoint:\u{1b}[31m}", "must have no control characters"
            ),
            (
                #""thresholds": {"hangz": ["count==0"]},"#, "/thresholds/hangz",
                "Did you mean 'hangs'?"
            ),
            (
                #""thresholds": {"hangs": "count==0"},"#, "/thresholds/hangs",
                "must be a list of thresholds"
            ),
            (#""thresholds": {"hangs": [0]},"#, "/thresholds/hangs/0", "must be a text, got 0"),
            (
                #""thresholds": {"hangs": ["count==0 after 10m"]},"#, "/thresholds/hangs",
                "'count==0 after 10m' would never be evaluated: the run ends at 10m."
            ),
            (
                #""warmUp": {"for": "2m"}, "thresholds": {"hangs": ["count==0 until 2m"]},"#,
                "/thresholds/hangs",
                "'count==0 until 2m' would never be evaluated: the first 2m are warm-up"
            ),
            (
                #""warmUp": {"for": "10m"},"#, "/warmUp/for",
                "must be shorter than the run of 10m, got 10m"
            ),
            (
                #""thresholds": {"hangs": ["count=0"]},"#, "/thresholds/hangs/0",
                "'count=0', column 6: expected one of <"
            ),
            (
                #""thresholds": {"hangs{step:episod}": ["count==0"]},"#,
                "/thresholds/hangs{step:episod}",
                "no step is called 'episod'. Did you mean 'episode'?"
            ),
            (
                #""thresholds": {"hangs{population:scroly}": ["count==0"]},"#,
                "/thresholds/hangs{population:scroly}",
                "no population is called 'scroly'. Did you mean 'scrolly'? Known: scrolly"
            ),
        ])
    func profile(settings: String, path: String, message: String) throws {
        try expectOneProblem(Profile.sample(settings), path, message)
    }

    @Test(
        "A problem of a population says where it is, what was found and what would be right",
        arguments: [
            (#""app": "scroly""#, "/populations/0/app", #"got "scroly". Did you mean 'scrolly'?"#),
            (
                #""design": "built""#, "/populations/0/design",
                "must be asBuilt or singleFlight, got"
            ),
            (#""name": """#, "/populations/0/name", "must have 1…40 characters, got 0"),
            (
                #""startsSignedIn": 1"#, "/populations/0/startsSignedIn",
                "must be true or false, got 1"
            ),
            (#""thinkTime": {}"#, "/populations/0/thinkTime", "exactly one of constant, uniform"),
            (
                #""thinkTime": {"normal": "1s"}"#, "/populations/0/thinkTime/normal",
                "is not a setting."
            ),
            (
                #""thinkTime": {"uniform": ["2s", "1s"]}"#, "/populations/0/thinkTime/uniform",
                "the first value must be at most 1s, got 2s"
            ),
            (
                #""thinkTime": {"uniform": ["2s"]}"#, "/populations/0/thinkTime/uniform",
                "must be a list of 2 values"
            ),
            (
                #""thinkTime": {"empirical": []}"#, "/populations/0/thinkTime/empirical",
                "must have 1…10 000 elements, got 0"
            ),
            (
                #""thinkTime": {"empirical": [["1s", 0]]}"#,
                "/populations/0/thinkTime/empirical/0/1", "got 0"
            ),
            (#""thinkTime": "2d""#, "/populations/0/thinkTime", "thinkTime must be 0s…1d, got 2d"),
            (#""thinkTime": 8"#, "/populations/0/thinkTime", "must be a duration in quotes"),
            (
                #""load": {"open": {}}"#, "/populations/0/load/open/stages",
                "stages is missing: the rate of sessions, stage after stage"
            ),
            (
                #""load": {"open": {"stages": [{"trace": {"file": "x"}}]}}"#,
                "/populations/0/load/open/stages/0", #"use "spacing": "even""#
            ),
            (
                #""load": {"closed": {"stages": [{"users": 101, "for": "1m"}]}}"#,
                "/populations/0/load/closed/stages/0/users",
                "must be at most the population's 100 users, got 101"
            ),
            (
                #""load": {"partlyOpen": {"stages": [{"constant": {"rate": 1, "for": "1m"}}], "#
                    + #""continue": 1}}"#,
                "/populations/0/load/partlyOpen/continue", "continue must be 0…0.999, got 1"
            ),
        ])
    func population(settings: String, path: String, message: String) throws {
        try expectOneProblem(Profile.sample(population: settings), path, message)
    }

    @Test(
        "Users and journeys must be there and in range",
        arguments: [
            (
                #""users": 0, "journeys": {"read": 1}"#, "/populations/0/users",
                "populations[0].users must be 1…10 000 000, got 0"
            ),
            (#""users": 1.5, "journeys": {"read": 1}"#, "/populations/0/users", "got 1.5"),
            (
                #""users": "9", "journeys": {"read": 1}"#, "/populations/0/users",
                #"must be a whole number, got "9""#
            ),
            (
                #""journeys": {"read": 1}"#, "/populations/0/users",
                "users is missing: the number of users"
            ),
            (#""users": 1"#, "/populations/0/journeys", "journeys is missing: what they come for"),
            (#""users": 1, "journeys": {}"#, "/populations/0/journeys", "got an empty object"),
            (
                #""users": 1, "journeys": {"raed": 1}"#, "/populations/0/journeys/raed",
                "is not a journey of scrolly. Did you mean 'read'?"
            ),
            (
                #""users": 1, "journeys": {"read": 0}"#, "/populations/0/journeys/read",
                "must be above 0 and at most 1 000 000, got 0"
            ),
            (
                #""users": 1, "app": "books", "journeys": {"read": 1}"#,
                "/populations/0/journeys/read", "is not a journey of books."
            ),
        ])
    func required(population: String, path: String, message: String) throws {
        let text = #"{"schemaVersion": 1, "populations": [{\#(population)}]}"#
        try expectOneProblem(text, path, message)
    }

    @Test("All problems are reported at once, in the order of the text, with line and column")
    func allAtOnce() throws {
        let text = """
            {
              "schemaVersion": 2,
              "populations": [
                { "users": 0, "journeys": { "raed": -1 } },
                { "users": 5, "journeys": { "read": 1 }, "name": "a", "nmae": "b" },
                { "users": 5, "journeys": { "read": 1 }, "name": "a" }
              ],
              "duration": "0s"
            }
            """
        let problems = try #require(throws: InvalidProfile.self) { try Profile.reading(text) }
            .problems
        #expect(
            problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.path) \($0.label)" } == [
                "2:20 /schemaVersion outOfRange",
                "4:16 /populations/0/users outOfRange",
                "4:33 /populations/0/journeys/raed unknownName",
                "4:41 /populations/0/journeys/raed outOfRange",
                "5:59 /populations/1/nmae unknownKey",
                "6:54 /populations/2/name contradiction",
                "8:15 /duration outOfRange",
            ])
        #expect(
            problems[1].description == "populations[0].users must be 1…10 000 000, got 0"
                + " (Profiles/x.json:4:16, /populations/0/users)")
    }

    @Test(
        "A fault's setting that means nothing, lacks or names nobody is a problem",
        arguments: [
            (
                #"{"kind": "capacity", "at": "1m", "factor": 2, "workers": 1}"#,
                "factor does not apply"
            ),
            (#"{"kind": "serverError", "at": "1m"}"#, "status is missing: serverError needs it"),
            (#"{"kind": "duplicate", "at": "1m", "app": "books"}"#, "is used by no population"),
            (#"{"kind": "duplicate", "at": "1m", "endpoints": ["post"]}"#, "Did you mean 'posts'?"),
            (#"{"kind": "serverError", "at": "1m", "status": 200}"#, "must be 400…599, got 200"),
        ])
    func problems(fault: String, message: String) throws {
        let error = try #require(throws: InvalidProfile.self) {
            _ = try Profile.reading(Profile.sample(#""backend": {"faults": [\#(fault)]},"#))
        }
        #expect(error.problems.count == 1)
        #expect(error.problems.first?.message.contains(message) == true)
    }

    @Test("A file that is too large is not read")
    func tooLarge() throws {
        let text = String(repeating: " ", count: Profile.fileSizeLimit + 1)
        let error = try #require(throws: InvalidProfile.self) { try Profile.reading(text) }
        #expect(error.description == "the file is larger than 1 MiB (Profiles/x.json)")
    }

    private func expectOneProblem(
        _ text: String, _ path: String, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: InvalidProfile.self) { try Profile.reading(text) }
        #expect(error.problems.map(\.path) == [path], sourceLocation: sourceLocation)
        let found = error.problems.first?.message ?? ""
        #expect(found.contains(message), "\(found)", sourceLocation: sourceLocation)
    }
}
