/// How long clients take, in the simulation's time, which may pass faster than theirs.
struct LivePace {
    /// How long an app must have been quiet after an answer to know it, and must wait to pause.
    ///
    /// It is more than twice the way to the clients.
    let grace: Int64
    /// No client has calls wait longer behind others that were begun later.
    let queue: Int64
    /// A call that waited for a refresh has come again within this span.
    let comeback: Int64
    /// An app that was silent for so long may have been suspended, and goes on within `resume`.
    let silence, resume: Int64
    /// A person loads no page as often as this.
    let load: Int64
    /// A refusal has made a client refresh within `prompt`, or `promptUnknown` after the refresh
    /// of a token of unknown life.
    let prompt, promptUnknown: Int64

    init(speed: Double) {
        func span(milliseconds: Double) -> Int64 { Int64(milliseconds * 1e6 * max(1, speed)) }
        grace = span(milliseconds: 100)
        queue = span(milliseconds: 2_000)
        comeback = span(milliseconds: 10_000)
        silence = span(milliseconds: 30_000)
        resume = span(milliseconds: 2_000)
        load = span(milliseconds: 2_000)
        prompt = span(milliseconds: 10_000)
        promptUnknown = span(milliseconds: 1_000)
    }
}
