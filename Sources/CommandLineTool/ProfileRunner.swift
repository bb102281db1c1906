import SquallBackend
import SquallLab

/// What runs a profile; the tool knows nothing else of simulation.
protocol ProfileRunner: Sendable {
    /// The names that profiles may use.
    var vocabulary: ProfileVocabulary { get }

    /// Runs a profile to its end, or until the progress report is answered with `.stop`.
    func run(
        _ order: RunOrder, progress: (RunProgress) -> RunControl
    ) throws -> RunResult
}

/// What is to be run.
struct RunOrder {
    let profile: Profile
    /// The profile's name in results.
    let name: String
    /// The command that repeats the run.
    let replayCommand: String
    /// Takes every event of the run, as a line of text without its line feed.
    let journal: ((String) -> Void)?
    /// Takes every reply of the server.
    var serverLog: ((ServerRecord) -> Void)?
    /// Whose every step and exchange is recorded.
    let trace: TraceSelection?
    /// Whether it may end when a threshold cannot be met any more.
    var stopsWhenLost = false
    /// How many batches what is measured is cut into; none when 0.
    var batches = 0
    /// Asked while the world is built.
    var isStopped: @Sendable () -> Bool = { false }
}

/// The runner of this package: ``LoadRun`` with every app there is.
struct InstalledRunner: ProfileRunner {
    /// Whether a job that escapes from the world ends the run; the program's process does nothing
    /// else than run, so there it is a mistake.
    var isStrict = true

    var vocabulary: ProfileVocabulary { .installed }

    func run(
        _ order: RunOrder, progress: (RunProgress) -> RunControl
    ) throws -> RunResult {
        var options = LoadRun.Options(
            replayCommand: order.replayCommand, isStrict: isStrict, journal: order.journal,
            trace: order.trace, stopsWhenLost: order.stopsWhenLost,
            batches: order.batches)
        options.isStopped = order.isStopped
        options.serverLog = order.serverLog
        return try LoadRun(profile: order.profile, named: order.name, options: options)
            .run(progress: progress)
    }
}
