/// What has run since virtual time last moved, in rounds: what is ready when one begins runs in it,
/// and what that makes ready runs in the next.
///
/// A crowd at one instant makes wide rounds and few of them; something that loops without waiting
/// makes narrow ones without end. So a limit on the two together meets a loop soon and no crowd:
/// ten million users at one instant may each do two hundred things, one after another.
struct Stillness {
    /// What each of a crowd may do without time passing, beyond the limit for somebody alone.
    private static let itemsEach = 200
    /// Rounds that a crowd may take for each of its members, as a queue does that has no service
    /// time.
    private static let roundsEach = 2
    private static let itemsInARound = 50

    private var ran = 0
    private var rounds = 0
    private var widest = 0

    /// Counts a round that begins.
    ///
    /// - Parameters:
    ///   - width: how many things are ready.
    ///   - limit: how many may run, for somebody alone, before time must move.
    /// - Returns: how many have run when that is too many; the count then begins anew, so that
    ///   what is left can be torn down.
    mutating func round(of width: Int, limit: Int) -> Int? {
        if ran >= limit, isTooMuch(limit) {
            defer { self = Stillness() }
            return ran
        }
        ran &+= width
        rounds &+= 1
        if width > widest { widest = width }
        return nil
    }

    private func isTooMuch(_ limit: Int) -> Bool {
        ran >= Stillness.itemsEach * widest && rounds >= limit / Stillness.itemsInARound
            && rounds >= Stillness.roundsEach * widest
    }
}
