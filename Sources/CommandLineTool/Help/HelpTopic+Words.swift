import SquallDocument
import SquallFormat
import SquallReport

extension HelpTopic {
    /// What the words of results mean.
    static let words = HelpTopic(name: "words") { _ in
        joined(definitions(Glossary.entries.map { ($0.word, $0.meaning) }))
    }
}
