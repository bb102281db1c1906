import CVirtualClock

/// Prints seed, virtual time, user and the repeating command when a trap ends the process.
///
/// Swift ends a program at once when a precondition does not hold, and a release build then says
/// nothing. A signal handler that does nothing else writes the report; the process exits with 70
/// and leaves what it has written.
public enum TrapReport {
    /// Has traps of this process reported; only for a program of our own.
    public static func install() { squall_report_traps() }

    /// Says what is run, and which command runs it again.
    public static func describe(_ subject: String, replayCommand: String) {
        squall_describe_run(subject, replayCommand)
    }

    /// Notes the user of the present event.
    @inline(__always)
    public static func note(user: Int) { squall_note_user(Int64(user)) }
}
