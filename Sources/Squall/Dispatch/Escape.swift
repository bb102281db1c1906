public import SquallKernel

/// An action of a world's code that no world can contain: it happened in real life, or not at all.
public struct Escape: Hashable, Sendable, CustomStringConvertible {
    /// What was used: `Thread`, `DispatchIO`.
    public let what: String
    /// Which one, or its destination.
    public let detail: String
    /// When it was used.
    public let instant: Instant
    /// The user who used it, and in which step, where several users' code runs.
    public internal(set) var whose: String?
    /// The queue on which it was used; `nil` for a task.
    public internal(set) var place: String?

    /// What to do instead.
    public var wayOut: String {
        switch what {
        case "Thread": "Use a Task or a queue, which a world has."
        case "Timer", "a timer of the system":
            "Use DispatchSource.makeTimerSource or Task.sleep, which a world has."
        case "DispatchSource": "A world has timers only; give the code its input from outside."
        case "DispatchIO": "Read the file before the world begins, or with FileHandle."
        case "a request to":
            "Mount a service whose origin that is; the code is asked for its address, not told."
        case "a connection to", "a look-up of the host", "libcurl":
            "Ask by a URLSession, and mount a service on that origin."
        case "a request of no user":
            "Make its session where the person's code runs, or start it by Task, not Task.detached."
        case "a download of":
            "Ask by a data task: Foundation takes the files of downloads from its own classes only."
        case "a web socket to": "Give the code its stream of messages from outside."
        default: "Give the code its input from outside."
        }
    }

    /// What was used, when, and what to do instead.
    public var description: String {
        let by = (whose.map { ", by \($0)" } ?? "") + (place.map { ", on \($0)" } ?? "")
        return "\(what) (\(detail)) at \(instant)\(by). \(wayOut)"
    }
}
