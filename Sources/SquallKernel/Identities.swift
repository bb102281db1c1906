/// Works out who is ready, for a policy that looks.
///
/// Nothing of this is kept while a simulation runs first in, first out.
struct Identities {
    /// The ready things in the order of the ring, as far as they have been worked out.
    private(set) var ready: [ReadyEvent] = []
    /// Who runs now; `nil` while code from outside does.
    var current: ReadyEvent.Subject?
    /// What the events of each handler mean, by its number.
    var meanings: [EventMeaning] = []
    private var tasks: [UInt64: ReadyEvent.Subject] = [:]
    /// Whose call woke an actor, by its job, until that runs.
    private var callers: [UInt64: ReadyEvent.Subject] = [:]
    /// Who sleeps in a sleeper, by its event's argument, until that is ready.
    private var sleepers: [UInt64: ReadyEvent.Subject] = [:]
    private var seen: UInt64 = 0

    /// A job became ready or will after a while: notes whose it is, while that is known.
    mutating func note(_ job: UInt64) {
        let task = WorldExecutors.taskIdentifier(of: job)
        if task == 0 {
            callers[job] = current ?? ReadyEvent.Subject()
        } else if tasks[task] == nil {
            let number = UInt64(tasks.count)
            tasks[task] = ReadyEvent.Subject(number: number, user: current?.user)
        }
    }

    /// Who runs now will sleep until the event of this argument.
    mutating func noteSleep(in sleeper: UInt64) { sleepers[sleeper] = current }

    /// Works out who a thing is that has joined the ready ones behind all others.
    mutating func append(_ item: ReadyItem) {
        ready.append(event(of: item))
        seen += 1
    }

    /// The thing at a position runs now.
    mutating func run(at position: Int) { current = ready.remove(at: position).subject }

    private mutating func event(of item: ReadyItem) -> ReadyEvent {
        guard item.kind < ReadyItem.firstHandler else { return handled(item) }
        let task = WorldExecutors.taskIdentifier(of: item.payload)
        guard let subject = tasks[task] else {
            let caller = callers.removeValue(forKey: item.payload) ?? ReadyEvent.Subject()
            return ReadyEvent(.actor, "actor", of: caller, ordinal: seen)
        }
        return item.kind == ReadyItem.mainJob
            ? ReadyEvent(.mainTask, "main task", of: subject, ordinal: seen)
            : ReadyEvent(.task, "task", of: subject, ordinal: seen)
    }

    private mutating func handled(_ item: ReadyItem) -> ReadyEvent {
        let meaning = meanings[Int(item.kind - ReadyItem.firstHandler)]
        // A sleeper's argument is an address, which must not show.
        let subject =
            item.kind == ReadyItem.firstHandler
            ? sleepers.removeValue(forKey: item.payload) ?? ReadyEvent.Subject()
            : meaning.subject(item.payload)
        return ReadyEvent(meaning.kind, meaning.label, of: subject, ordinal: seen)
    }
}
