import Synchronization

/// The name of a kind of event, kept as a number: a schedule copies events all the time, and
/// copying a text would count references.
public struct EventLabel: Hashable, Sendable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// Its place among the process's labels, which depends on what ran before and must not show.
    public let number: Int

    // Texts of programs, each kept once.
    private static let known = Mutex<(numbers: [String: Int], texts: [String])>(([:], []))

    /// The label of a text, the same one each time.
    public init(stringLiteral text: String) {
        number = Self.known.withLock { known in
            if let number = known.numbers[text] { return number }
            known.texts.append(text)
            known.numbers[text] = known.texts.count - 1
            return known.texts.count - 1
        }
    }

    /// The text.
    public var description: String { Self.known.withLock { $0.texts[number] } }

    static let task: EventLabel = "task"
    static let mainTask: EventLabel = "main task"
    static let actor: EventLabel = "actor"
    static let sleep: EventLabel = "sleep"
}
