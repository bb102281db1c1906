import Foundation

/// Starts programs with `posix_spawn`.
///
/// Foundation's `Process` is not used: one of its many system calls that fails may end this process
/// or block it for ever.
struct Spawn {
    let path: String
    /// The words behind the program's own name.
    var words: [String]
    /// The name under which it is started; nil for its path.
    var name: String?
    var environment: [String: String]
    /// The descriptors that its standard streams become; nil for discarded, none to keep one.
    var streams: [Int32: Int32?] = [:]
    /// True for a process group of its own, with the signals that this process ignores.
    var leadsGroup = false

    /// Starts it; returns the number of the process.
    ///
    /// - Throws: ``SystemFailure``.
    func start() throws -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        try Self.check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, file) in streams.sorted(by: { $0.key < $1.key }) {
            if let file {
                try Self.check(posix_spawn_file_actions_adddup2(&actions, file, stream))
            } else {
                try Self.check(
                    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0))
            }
        }
        try Self.check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        if leadsGroup {
            var (none, ignored) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigemptyset(&ignored)
            for signal in Self.ignoredSignals { sigaddset(&ignored, signal) }
            let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
            try Self.check(posix_spawnattr_setflags(&attributes, Int16(flags)))
            try Self.check(posix_spawnattr_setsigdefault(&attributes, &ignored))
            try Self.check(posix_spawnattr_setsigmask(&attributes, &none))
        }
        let environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
        var child: pid_t = 0
        try Self.withStrings([name ?? path] + words) { arguments in
            try Self.withStrings(environment) { environment in
                try Self.check(
                    posix_spawn(&child, path, &actions, &attributes, arguments, environment))
            }
        }
        return child
    }

    /// What this process ignores for itself, which others would inherit.
    private static let ignoredSignals =
        [SIGPIPE, SIGXFSZ, SIGTTOU] + EndingSignal.allCases.map(\.number)

    /// Throws the error number that a call returns.
    private static func check(_ number: Int32) throws {
        guard number == 0 else { throw SystemFailure(number) }
    }

    /// Passes strings as a C array.
    private static func withStrings<Value>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Value
    ) throws -> Value {
        var copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        guard !copies.dropLast().contains(nil) else { throw SystemFailure(ENOMEM) }
        return try copies.withUnsafeMutableBufferPointer { buffer in
            guard let list = buffer.baseAddress else { throw SystemFailure(ENOMEM) }
            return try body(list)
        }
    }
}
