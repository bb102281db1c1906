import Foundation

/// The three streams that every process expects to be open.
enum StandardStreams {
    /// Opens a file for each standard stream that the parent process closed.
    ///
    /// Otherwise the first opened files would get their numbers, and results would be mixed with
    /// messages. The file is opened in the wrong direction, so that using it is an error.
    static func secure() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
