import Foundation
import SquallFormat
import SquallLab
import SquallReport

/// The folder of one run's results: `<out>/<profile>/<run-id>`.
///
/// Files are written to a hidden folder beside it, made before the run so that an unwritable place
/// is known at once. The hidden folder takes its real name when it is complete; a name that is
/// taken gets a suffix, so no run ever overwrites another or leaves half a result.
struct ResultFolder: Sendable {
    private static let attempts = 1_000

    private let parent: URL
    private let hidden: URL

    init(in out: URL, profile: String) throws {
        parent = out.appending(path: profile, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: parent, withIntermediateDirectories: true)
            hidden = try ResultFolder.firstFree(".unfinished", in: parent) { url in
                try FileManager.default.createDirectory(
                    at: url, withIntermediateDirectories: false)
            }
        } catch {
            throw CommandFailure.inputOutput(
                "cannot write results to \(parent.path(percentEncoded: false)): \(error.reason)")
        }
    }

    /// Writes everything and gives the folder its name.
    ///
    /// A file that cannot be written does not keep the others from being written: the folder is
    /// then named `…-incomplete`, and the failure says what is missing. Each file there is whole.
    func keep(_ result: RunResult, _ manifest: Manifest) throws -> URL {
        let files = result.output.files + [("manifest.json", JSONDocument.text(manifest))]
        let problems = files.compactMap { name, text in
            write(text, to: hidden.appending(path: name)).map { "\(name) (\($0))" }
        }
        let name = result.summary.runID + (problems.isEmpty ? "" : "-incomplete")
        do {
            let place = try ResultFolder.firstFree(name, in: parent) { url in
                try FileManager.default.moveItem(at: hidden, to: url)
            }
            guard problems.isEmpty else { throw IncompleteResults(problems, keptIn: place) }
            return place
        } catch let error as IncompleteResults {
            throw error.failure
        } catch {
            throw CommandFailure.inputOutput(
                "cannot write results to \(parent.path(percentEncoded: false)): \(error.reason)")
        }
    }

    /// Writes a file, or leaves none; why it could not, or nil.
    private func write(_ text: String, to file: URL) -> String? {
        do {
            try Data(text.utf8).write(to: file)
            return nil
        } catch {
            // On a full disk its beginning was written.
            try? FileManager.default.removeItem(at: file)
            return error.reason
        }
    }

    /// Takes everything back; does nothing once the results are kept.
    func discard() {
        try? FileManager.default.removeItem(at: hidden)
    }

    /// Tries `name`, `name-2`, `name-3` … until one is not taken.
    private static func firstFree(
        _ name: String, in parent: URL, take: (URL) throws -> Void
    ) throws -> URL {
        for attempt in 1...attempts {
            let url = parent.appending(
                path: attempt == 1 ? name : "\(name)-\(attempt)", directoryHint: .isDirectory)
            do {
                try take(url)
                return url
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                continue
            }
        }
        throw CocoaError(.fileWriteFileExists)
    }
}

/// Files that could not be written, beside others that were.
private struct IncompleteResults: Error {
    let failure: CommandFailure

    init(_ problems: [String], keptIn place: URL) {
        failure = .inputOutput(
            "cannot write \(problems.joined(separator: ", ")); what could be written is in "
                + place.path(percentEncoded: false))
    }
}

extension RunOutput {
    /// The files that are the same whenever the run is repeated.
    var files: [(name: String, text: String)] {
        OutputFormat.builtIn.compactMap { format in
            format.text(self).map { (format.file, $0) }
        }
    }
}

extension RunSummary {
    /// The name of the run's folder: its seed and the beginning of its digest.
    var runID: String { "seed\(seed)-\(digest.text.prefix(8))" }
}
