/// Works out who is ready, for a policy that looks.
///
/// Nothing of this is kept while a simulation runs first in, first out.
struct Identities {
    /// Who runs now; `nil` while code from outside does.
    var current: ReadyEvent.Subject?
    /// What the events of each handler mean, by its number.
    var meanings: [EventMeaning] = []
    /// How many tasks have been numbered.
    private(set) var taskCount: UInt64 = 0
    /// The tasks of late, by the runtime's number, and those of before that.
    private var tasks = SubjectTable()
    private var olderTasks = SubjectTable()
    /// Whose call woke an actor, by its job, until that runs.
    private var callers = SubjectList()
    /// Who sleeps in a sleeper, by its event's argument, until that is ready.
    private var sleepers = SubjectList()
    private var seen: UInt64 = 0

    /// After how many others what is known of a task is forgotten, because nobody tells when one
    /// ends.
    ///
    /// It then counts as new, of whoever wakes it.
    static let tasksMax = 1 << 16

    /// A job became ready or will after a while: notes whose it is, while that is known.
    mutating func note(_ job: UInt64) {
        let task = WorldExecutors.taskIdentifier(of: job)
        if task == 0 {
            callers.append(job, current ?? ReadyEvent.Subject())
        } else if subject(ofTask: task) == nil {
            let subject = ReadyEvent.Subject(number: taskCount, user: current?.user)
            taskCount += 1
            remember(task, subject)
        }
    }

    /// Who runs now will sleep until the event of this argument.
    mutating func noteSleep(in sleeper: UInt64) {
        if let current { sleepers.append(sleeper, current) }
    }

    /// Room for a small world at once.
    mutating func makeRoom() { tasks.makeRoom() }

    /// What a thing is that has become ready, or may run already.
    mutating func event(of item: ReadyItem) -> ReadyEvent {
        seen += 1
        guard item.kind < ReadyItem.firstHandler else { return handled(item) }
        let task = WorldExecutors.taskIdentifier(of: item.payload)
        guard task != 0, let subject = subject(ofTask: task) else {
            let caller = callers.remove(item.payload) ?? ReadyEvent.Subject()
            return ReadyEvent(.actor, .actor, of: caller, ordinal: seen - 1)
        }
        return item.kind == ReadyItem.mainJob
            ? ReadyEvent(.mainTask, .mainTask, of: subject, ordinal: seen - 1)
            : ReadyEvent(.task, .task, of: subject, ordinal: seen - 1)
    }

    /// Whether a thing happens on a user's device, and not on the way or elsewhere.
    func isOnDevice(_ item: ReadyItem) -> Bool {
        guard item.kind >= ReadyItem.firstHandler else { return true }
        return meanings[Int(item.kind - ReadyItem.firstHandler)].isOnDevice
    }

    private mutating func handled(_ item: ReadyItem) -> ReadyEvent {
        let handler = item.kind - ReadyItem.firstHandler
        let meaning = meanings[Int(handler)]
        // A sleeper's argument is an address, which must not show.
        let subject =
            item.kind == ReadyItem.firstHandler
            ? sleepers.remove(item.payload) ?? ReadyEvent.Subject()
            : meaning.subject(item.payload)
        return ReadyEvent(meaning.kind, meaning.label, of: subject, ordinal: seen - 1)
    }

    private mutating func subject(ofTask task: UInt64) -> ReadyEvent.Subject? {
        if let known = tasks[task] { return known }
        guard let known = olderTasks[task] else { return nil }
        remember(task, known)
        return known
    }

    private mutating func remember(_ task: UInt64, _ subject: ReadyEvent.Subject) {
        if tasks.count >= Identities.tasksMax {
            olderTasks = tasks
            tasks = SubjectTable()
        }
        tasks.insert(task, subject)
    }
}
