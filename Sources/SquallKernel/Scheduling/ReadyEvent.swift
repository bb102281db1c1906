import Synchronization

/// An item that could run now, as a policy sees it: its kind, its number and its user.
///
/// None of it is an address or depends on the machine: the same seed and the same choices show the
/// same events.
public struct ReadyEvent: Hashable, Sendable {
    /// The kind of item: a task, an actor's call, a message or the end of a wait.
    public let kind: Kind
    /// What its kind is called: `task`, or the label that an event's handler was registered with.
    public let label: EventLabel
    /// Its number among those of its label.
    ///
    /// Tasks are numbered in the order in which they first became ready. An actor has the number of
    /// the task whose call woke it, an event the one that its handler's meaning gives it.
    public let number: UInt64
    /// The user it belongs to; `nil` when it belongs to none.
    public let user: UInt64?
    /// Its number, from 0, in the order in which items became ready; unique in a run.
    public let ordinal: UInt64

    /// What kinds of items there are.
    public enum Kind: Hashable, Sendable {
        /// A task goes on.
        case task
        /// A task goes on that runs on the main actor.
        case mainTask
        /// An actor takes its next call.
        case actor
        /// A request or response arrives.
        case message
        /// The time has come that a task or the network waited for.
        case timer
    }

    /// A thing that became ready.
    public init(
        _ kind: Kind, _ label: EventLabel, of subject: Subject, ordinal: UInt64
    ) {
        self.kind = kind
        self.label = label
        number = subject.number
        user = subject.user
        self.ordinal = ordinal
    }

    /// The number and the user of an item.
    public struct Subject: Hashable, Sendable {
        /// Its number among those of its label.
        public let number: UInt64
        /// The user it belongs to.
        public let user: UInt64?

        /// A number of its own, with or without a user.
        public init(number: UInt64 = 0, user: UInt64? = nil) {
            self.number = number
            self.user = user
        }
    }

    /// Its number and its user.
    public var subject: Subject { Subject(number: number, user: user) }
}

/// What the events of a handler mean to a scheduling policy.
public struct EventMeaning {
    let kind: ReadyEvent.Kind
    let label: EventLabel
    /// True if they happen on a user's device, and so never while it is suspended.
    let isOnDevice: Bool
    let subject: (_ argument: UInt64) -> ReadyEvent.Subject

    /// The end of a wait; by default every argument stands for another one.
    public static func timer(
        _ label: EventLabel, onDevice isOnDevice: Bool = false,
        of subject: @escaping (_ argument: UInt64) -> ReadyEvent.Subject = { .init(number: $0) }
    ) -> EventMeaning {
        EventMeaning(kind: .timer, label: label, isOnDevice: isOnDevice, subject: subject)
    }

    /// The arrival of something that was sent.
    public static func message(
        _ label: EventLabel, onDevice isOnDevice: Bool = false,
        of subject: @escaping (_ argument: UInt64) -> ReadyEvent.Subject
    ) -> EventMeaning {
        EventMeaning(kind: .message, label: label, isOnDevice: isOnDevice, subject: subject)
    }
}

/// The name of a kind of event, kept as a number: a schedule copies events all the time, and
/// copying a text would count references.
public struct EventLabel: Hashable, Sendable, ExpressibleByStringInterpolation,
    CustomStringConvertible
{
    /// Its place among the process's labels, which depends on what ran before and must not show.
    public let number: Int

    // Texts of programs, each kept once.
    private static let known = Mutex(Known())

    private struct Known: Sendable {
        var numbers: [String: Int] = [:]
        var texts: [String] = []
        /// The label asked for last: each world asks for the same ones in the same order.
        var latest = -1
    }

    /// The label of a text, the same one each time.
    public init(stringLiteral text: String) {
        number = Self.known.withLock { known in
            let next = known.latest + 1
            if next < known.texts.count, known.texts[next] == text {
                known.latest = next
            } else if let number = known.numbers[text] {
                known.latest = number
            } else {
                known.latest = known.texts.count
                known.texts.append(text)
                known.numbers[text] = known.latest
            }
            return known.latest
        }
    }

    /// The text that the label was made with.
    public var description: String { Self.known.withLock { $0.texts[number] } }

    static let task: EventLabel = "task"
    static let mainTask: EventLabel = "main task"
    static let actor: EventLabel = "actor"
    static let sleep: EventLabel = "sleep"
}
