import SquallHTTP
import SquallJudge

/// How long clients take, in the simulation's time, which may pass faster than theirs.
struct LivePace {
    /// How long an app must have been quiet after a response to know it, and must wait to pause.
    ///
    /// It is more than twice the way to the clients.
    let grace: Int64
    /// No client has calls wait longer behind others that were begun later.
    let queue: Int64
    /// A call that waited for a refresh has come again within this span.
    let comeback: Int64
    /// A client that had nothing open for so long after a refresh has let all go on that waited.
    let idle: Int64
    /// An app that was silent for so long may have been suspended, and goes on within `resume`.
    let silence, resume: Int64
    /// The shortest time in which a person loads a page again.
    let load: Int64
    /// A refusal has made a client refresh within `prompt`, or `promptUnknown` after the refresh
    /// of a token of unknown life.
    let prompt, promptUnknown: Int64
    /// What is sent again within `again` after a failure was sent with a short pause, and within
    /// `instant` without one.
    let again, instant: Int64
    /// A refresh that is sent again within this span had no pause, also none that was drawn from 0
    /// on.
    let atOnce: Int64
    /// A response that takes longer was lost.
    let lost: Int64
    /// Pauses as long as this need not grow.
    let patient: Int64
    /// A sign-in within this span after a failed refresh is made because of it.
    let thrownAway: Int64

    /// How long the processes of an account take.
    var account: AccountWatch<TokenNumber>.Pace { .init(pause: grace, queue: queue) }

    init(speed: Double) {
        func span(milliseconds: Double) -> Int64 { Int64(milliseconds * 1e6 * max(1, speed)) }
        grace = span(milliseconds: 100)
        queue = span(milliseconds: 2_000)
        comeback = span(milliseconds: 10_000)
        idle = span(milliseconds: 1_000)
        silence = span(milliseconds: 30_000)
        resume = span(milliseconds: 2_000)
        load = span(milliseconds: 2_000)
        prompt = span(milliseconds: 10_000)
        promptUnknown = span(milliseconds: 1_000)
        again = span(milliseconds: 500)
        instant = span(milliseconds: 25)
        atOnce = span(milliseconds: 5)
        lost = span(milliseconds: 5_000)
        patient = span(milliseconds: 30_000)
        thrownAway = span(milliseconds: 60_000)
    }
}
