import CVirtualClock

/// What a process says that a mistake ends: seed, virtual time, user, and the command that repeats.
///
/// Swift ends a program at once when a precondition does not hold, and a release build then says
/// nothing. The report is written by a signal handler that does nothing else; the process ends with
/// 70 and leaves what it has written.
public enum TrapReport {
    /// Has traps of this process reported; only for a program of our own.
    public static func install() { squall_report_traps() }

    /// Says what is run, and which command runs it again.
    public static func describe(_ subject: String, replayCommand: String) {
        squall_describe_run(subject, replayCommand)
    }

    /// Notes on whose behalf things happen.
    @inline(__always)
    public static func note(user: Int) { squall_note_user(Int64(user)) }
}
