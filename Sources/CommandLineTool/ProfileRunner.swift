import SquallBackend
import SquallLab

/// Runs profiles; the tool knows nothing else about simulation.
protocol ProfileRunner: Sendable {
    /// The names that profiles may use.
    var vocabulary: ProfileVocabulary { get }

    /// Runs a profile to its end, or until the progress callback returns `.stop`.
    func run(
        _ order: RunOrder, progress: (RunProgress) -> RunControl
    ) throws -> RunResult
}

/// A run to perform.
struct RunOrder {
    let profile: Profile
    /// The profile's name in results.
    let name: String
    /// The command that repeats the run.
    let replayCommand: String
    /// Gets every event of the run, as a line of text without its line feed.
    let journal: ((String) -> Void)?
    /// Gets every reply of the server.
    var serverLog: ((ServerRecord) -> Void)?
    /// The users to trace: all their steps and exchanges are recorded.
    let trace: TraceSelection?
    /// Whether it may end once a threshold can no longer be met.
    var stopsWhenLost = false
    /// The number of batches to cut the measured time into; 0 for none.
    var batches = 0
    /// Called while the world is built, whether to stop.
    var isStopped: @Sendable () -> Bool = { false }
}

/// The runner of this package: ``LoadRun`` with all installed apps.
struct InstalledRunner: ProfileRunner {
    /// Whether a job outside the simulated world ends the run; in a process that does nothing but
    /// run, such a job is a mistake.
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
