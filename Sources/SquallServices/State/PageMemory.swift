import SquallBackend
import SquallHTTP

/// The pages of posts that were answered lately, by what was asked for.
///
/// Most people open the same first pages. Such a page is answered again as it is while no list, no
/// post on it and no user's name has changed: reading the query and taking up every post once more
/// costs more than all else about a request. A full memory is emptied.
struct PageMemory {
    final class Known {
        let answer: Answer
        /// The change of the posts, and the version of the users, as of which it is right.
        let change, usersVersion: Int

        fileprivate init(_ answer: Answer, _ change: Int, _ usersVersion: Int) {
            self.answer = answer
            self.change = change
            self.usersVersion = usersVersion
        }
    }

    private struct Key: Hashable {
        /// The row of the contract, and its year.
        let row: Int
        let is2024: Bool
        let query: String

        init(_ call: Call) {
            row = call.route.row
            is2024 = call.year == .year2024
            query = call.request.url.query ?? ""
        }
    }

    private static let countMax = 2_000
    private let isOn: Bool
    private var known: [Key: Known] = [:]

    init(isOn: Bool) { self.isOn = isOn }

    /// What is known of the page that a call asks for.
    subscript(call: Call) -> Known? { known.isEmpty ? nil : known[Key(call)] }

    /// Keeps a page as of a change of the posts and a version of the users.
    ///
    /// It is kept without its list's keeper, which has this memory: both would never be released.
    mutating func keep(_ answer: Answer, to call: Call, change: Int, usersVersion: Int) {
        guard isOn else { return }
        if known.count >= PageMemory.countMax { known = [:] }
        var answer = answer
        answer.page = answer.page?.kept(by: nil)
        known[Key(call)] = Known(answer, change, usersVersion)
    }
}
