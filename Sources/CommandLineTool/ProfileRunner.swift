import SquallLab

/// Runs profiles; the tool knows nothing else about simulation.
protocol ProfileRunner: Sendable {
    /// The names that profiles may use.
    var vocabulary: ProfileVocabulary { get }

    /// Runs a profile to its end, or until the progress callback returns `.stop`.
    func run(
        _ profile: Profile, named name: String, _ options: LoadRun.Options,
        progress: (RunProgress) -> RunControl
    ) throws -> RunResult
}

/// The runner of this package: ``LoadRun`` with all installed apps.
struct InstalledRunner: ProfileRunner {
    /// True if a job outside the simulated world ends the run; in a process that does nothing but
    /// run, such a job is a mistake.
    var isStrict = true

    var vocabulary: ProfileVocabulary { .installed }

    func run(
        _ profile: Profile, named name: String, _ options: LoadRun.Options,
        progress: (RunProgress) -> RunControl
    ) throws -> RunResult {
        var options = options
        options.isStrict = isStrict
        return try LoadRun(profile: profile, named: name, options: options)
            .run(progress: progress)
    }
}
