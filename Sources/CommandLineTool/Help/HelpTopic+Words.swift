import SquallDocument
import SquallFormat
import SquallReport

extension HelpTopic {
    /// The meanings of the words in results.
    static let words = HelpTopic(name: "words") { _ in
        definitions(Glossary.entries.map { ($0.word, $0.meaning) }).lines
    }
}
