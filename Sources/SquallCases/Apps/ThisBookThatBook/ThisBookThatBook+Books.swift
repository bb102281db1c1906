import SquallApps
import Synchronization

extension ThisBookThatBook {
    private static let booksOnAPage = 10

    /// Searches for books; the same words twice in a row send no request.
    func searchBooks(_ words: String) async -> StepOutcome {
        guard await taps(.searchBooks).admit() else { return .nothingToDo }
        let isDistinct = screen.withLock { screen in
            defer { screen.bookWords = words }
            return screen.bookWords != words
        }
        guard isDistinct || !design.guardsButtons else { return .nothingToDo }
        guard let page = await api.books(words, display: Self.booksOnAPage, start: 1) else {
            return .toast(ThisBookError.standard.rawValue)
        }
        screen.withLock { $0.books = page.items }
        return .rendered
    }

    /// The seventh row from the end comes into sight: the books from the eleventh on are appended.
    ///
    /// They are loaded whatever is shown already: scrolling on shows the second page repeatedly.
    func scrollBooks() async -> StepOutcome {
        let (words, count) = screen.withLock { ($0.bookWords, $0.books.count) }
        guard count >= 7 else { return .nothingToDo }
        guard let page = await api.books(words, display: Self.booksOnAPage, start: 11) else {
            return .toast(ThisBookError.standard.rawValue)
        }
        screen.withLock { $0.books += page.items }
        return count > Self.booksOnAPage ? .duplicates : .rendered
    }

    /// The first books found, at most five, in the form that a post carries.
    var chosenBooks: [String] {
        let books = screen.withLock { Array($0.books.prefix(5)) }
        return books.map { "\($0.title)#\($0.author ?? "")##\($0.image ?? "")##\($0.isbn ?? "")" }
    }
}
