import Foundation

/// A file that a command writes beside its answer.
struct BesideFile {
    /// Writes it, or completes it.
    let write: () throws -> Void

    init(_ write: @escaping () throws -> Void) { self.write = write }

    /// Writes a text where an option names a file for it.
    init(_ file: OutputFile?, _ text: @escaping @autoclosure () throws -> String) {
        write = { try file?.write(text()) }
    }
}

extension PerformedCommand {
    /// Ends a command in the one order in which nothing is lost: its results on disk, its answer,
    /// the files beside it.
    ///
    /// A failure is named, and keeps nothing else from being done. Signals wait meanwhile.
    ///
    /// - Parameters:
    ///   - code: what the answer says.
    ///   - keep: keeps the results; returns where.
    ///   - remark: what is said behind the place of the results; `nil` where the answer names it.
    ///   - files: what is written beside them.
    ///   - answer: shows the answer; gets the place of the results, where they could be kept.
    /// - Returns: the code of the answer, or the worst of what failed.
    func end(
        with code: ExitCode, keeping keep: (() throws -> URL)? = nil, remark: String? = "",
        beside files: [BesideFile] = [], answer: (URL?) -> Void
    ) -> ExitCode {
        interruption.awaited {
            var failures: [CommandFailure] = []
            func attempt<Value>(_ body: () throws -> Value) -> Value? {
                do { return try body() } catch {
                    failures.append(tool.failure(error, of: invocation.command.name))
                    return nil
                }
            }
            let place = keep.flatMap { attempt($0) }
            answer(place)
            if let place, let remark { tell("results: \(place.shown)\(remark)") }
            for file in files { _ = attempt(file.write) }
            for failure in failures { console.report(failure.description) }
            return failures.map(\.code).worst ?? code
        }
    }
}
