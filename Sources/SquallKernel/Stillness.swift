/// Counts what has run since virtual time last moved, in rounds: what is ready when a round begins
/// runs in it, and what that makes ready runs in the next.
///
/// A crowd at one instant makes a few wide rounds; a loop that never waits makes narrow rounds
/// without end. So a limit on both together soon stops a loop and never a crowd: ten million users
/// at one instant may each do two hundred things, one after another.
struct Stillness {
    /// How many items a crowd may run per member, where that exceeds a single user's limit.
    private static let itemsEach = 200
    /// How many rounds a crowd may take per member, as a queue without service time does.
    private static let roundsEach = 2
    private static let itemsInARound = 50

    private var ran = 0
    private var rounds = 0
    private var widest = 0

    /// Counts a round that begins.
    ///
    /// - Parameters:
    ///   - width: how many things are ready.
    ///   - limit: the number that a single user's work may take before time must move.
    /// - Returns: how many have run when that is too many; the count then begins anew, so that what
    ///   is left can be torn down.
    @inline(__always)
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
