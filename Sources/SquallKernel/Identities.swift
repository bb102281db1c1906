/// Works out which task or event each ready item is, for a policy that looks at them.
///
/// A simulation that runs first in, first out keeps none of this.
struct Identities {
    /// The subject that runs now; `nil` while code from outside does.
    var current: ReadyEvent.Subject?
    /// What the events of each handler mean, by its number.
    var meanings: [EventMeaning] = []
    private(set) var taskCount: UInt64 = 0
    /// The tasks seen lately, by the runtime's number, and those seen before them.
    private var tasks = SubjectTable()
    private var olderTasks = SubjectTable()
    /// The caller that woke an actor, by the actor's job, until that job runs.
    private var callers = SubjectList()
    /// The sleeping task, by its event's argument, until that event is ready.
    private var sleepers = SubjectList()
    private var seen: UInt64 = 0

    /// The number of tasks after which the oldest are forgotten: the runtime does not tell when one
    /// ends.
    ///
    /// A forgotten task counts as a new one of the user whose code wakes it.
    static let tasksMax = 1 << 16

    /// Notes the task or the caller behind a job that became ready or will later.
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

    /// Notes that the running task will sleep until the event of this argument.
    mutating func noteSleep(in sleeper: UInt64) {
        if let current { sleepers.append(sleeper, current) }
    }

    /// Memory for a small world at once.
    mutating func makeRoom() { tasks.makeRoom() }

    /// Describes an item that became ready, or that the window lets run early.
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

    /// False for an item that happens on the network or in the server, which no suspended device
    /// holds.
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
