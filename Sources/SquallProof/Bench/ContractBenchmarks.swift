/// The cost of the server's handler alone, and of a page at any depth of a million posts.
extension Benchmark {
    static let contract: [Benchmark] = [
        call("small GET", .ownPayments), call("POST of a like", .like),
        call("refresh", .refresh), page("first", depthPercent: 0),
        page("half-way", depthPercent: 50), page("nearly last", depthPercent: 99),
    ]

    private static func call(_ name: String, _ call: HandlerLoad.Call) -> Benchmark {
        Benchmark(
            "contract/\(name)",
            about: "The handler answers one request, from its route to its body."
        ) {
            let load = HandlerLoad(posts: 1_000)
            let operations = 100_000
            load.run(call, times: 1_000)
            return sample(operations) { load.run(call, times: operations) }
        }
    }

    private static func page(_ name: String, depthPercent: Int) -> Benchmark {
        Benchmark(
            "contract/page of 20, \(name) of 1M posts",
            about: "The handler answers one page of a list of a million posts.", repetitions: 1,
            isAlone: true
        ) {
            let (load, _, note) = resident(1_000_000, each: "a post") {
                HandlerLoad(posts: 1_000_000)
            }
            let operations = 20_000
            load.run(.page(depthPercent: depthPercent), times: 100)
            var measured = sample(operations) {
                load.run(.page(depthPercent: depthPercent), times: operations)
            }
            measured.note = note
            return measured
        }
    }
}
