import Foundation

/// The three streams every process expects to be open.
enum StandardStreams {
    /// Gives each of the first three descriptors a file when whoever started the process closed it.
    ///
    /// Otherwise the first files to be opened would take their numbers, and results would be mixed
    /// with messages. The file is opened the wrong way round, so that using it is an error.
    static func secure() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
