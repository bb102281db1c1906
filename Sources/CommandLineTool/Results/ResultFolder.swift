import Foundation
import SquallFormat
import SquallLab
import SquallReport
import Synchronization

/// The folder of one run's results: `<out>/<profile>/<run-id>`.
///
/// Files are written to a hidden folder beside it. That is made before the run, so an unwritable
/// place is known at once, and renamed when it is complete. A name that is taken gets a suffix, so
/// no run ever overwrites another or leaves half a result. A link `latest` leads to the newest
/// complete run, drive or exploration; results of many runs leave it where it is.
final class ResultFolder: Sendable {
    private static let latest = "latest"
    /// The profile of the run, without comments and with overrides inserted.
    static let profile = "profile.json"
    /// The place and time of the run; the only file that differs when the run is repeated.
    static let manifest = "manifest.json"

    private let parent: URL
    private let hidden: UnfinishedFolder
    /// The fate of the folder if the process has to end now.
    ///
    /// Held while files are written, so that nothing is kept in part.
    private let stage = Mutex(Stage.empty)

    private enum Stage {
        case empty
        case holds(name: String)
        case published
    }

    /// Prepares the folder for a profile's results, at the place that the command line names.
    ///
    /// - Throws: why nothing can be written there.
    init(of profile: String, _ arguments: Arguments, _ console: any Console) throws {
        parent = console.file(arguments.text("--out") ?? "Results")
            .appending(path: profile, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: parent, withIntermediateDirectories: true)
            hidden = try UnfinishedFolder(in: parent)
        } catch {
            throw ResultFolder.unwritable(parent, error)
        }
        guard let note = hidden.note, !arguments.has("--quiet") else { return }
        console.write("note: \(note.visible)\n", to: .error)
    }

    /// Writes all files and gives the folder its name.
    ///
    /// If a file cannot be written, the others still are: the folder is then named `…-incomplete`,
    /// and the failure names the missing files. Each file in the folder is complete.
    func keep(_ result: RunResult, _ manifest: Manifest, _ loaded: LoadedProfile) throws -> URL {
        let files =
            result.output.files + [(ResultFolder.profile, loaded.document.document)]
            + loaded.draftFile
        return try keep(files, manifest, as: result.output.runID)
    }

    /// Writes files and the manifest, and gives the folder a name.
    func keep(
        _ files: [(name: String, text: String)], _ manifest: Manifest, as runID: String,
        isLatest: Bool = true
    ) throws -> URL {
        var manifest = manifest
        manifest.outputs = files.map { name, text in
            Manifest.File(name: name, hash: Version.hash(of: text.utf8))
        }
        return try keep(
            files + [(ResultFolder.manifest, JSONDocument.text(manifest))], as: runID,
            isLatest: isLatest)
    }

    /// Writes files, possibly in subfolders, and gives the folder a name.
    func keep(
        _ files: [(name: String, text: String)], as runID: String, isLatest: Bool = true
    ) throws -> URL {
        let (place, problems) = try stage.withLock { stage in
            let problems = write(files)
            let name = runID + (problems.isEmpty ? "" : "-incomplete")
            let place = try publish(as: name)
            stage = .published
            return (place, problems)
        }
        guard problems.isEmpty else { throw incomplete(problems, keptIn: place) }
        if isLatest { linkLatest(to: place.lastPathComponent) }
        return place
    }

    /// Writes what there is so far; it is kept under this name if the process ends before
    /// ``keep(_:_:as:isLatest:)``, and replaced by that otherwise.
    func prepare(_ files: [(name: String, text: String)], as name: String) {
        stage.withLock { stage in
            if write(files).isEmpty { stage = .holds(name: name) }
        }
    }

    /// Ends it before its results are kept: publishes what was prepared, and removes anything else.
    func end() {
        stage.withLock { stage in
            if case .published = stage { return }
            if case .holds(let name) = stage, (try? publish(as: name)) != nil {
            } else {
                try? FileManager.default.removeItem(at: hidden.url)
            }
            stage = .published
        }
    }

    private func incomplete(
        _ problems: [(name: String, error: any Error)], keptIn place: URL
    ) -> CommandFailure {
        let list = problems.map { "\($0.name) (\($0.error.reason))" }.joined(separator: ", ")
        return CommandFailure(
            code: problems.map { ExitCode(systemNumber: $0.error.systemNumber) }.worst
                ?? .inputOutput,
            description: "cannot write \(list); what could be written is in "
                + place.path(percentEncoded: false))
    }

    /// Gives the folder a name: `name`, or if it is taken `name-2`, `name-3` and so on.
    private func publish(as name: String) throws -> URL {
        do {
            let path = parent.path(percentEncoded: false)
            let taken = try FileManager.default.contentsOfDirectory(atPath: path).compactMap {
                $0 == name ? 1 : $0.hasPrefix(name + "-") ? Int($0.dropFirst(name.count + 1)) : nil
            }
            let first = (taken.max() ?? 0) + 1
            return try hidden.publish(
                as: (first...Int.max).lazy.map { $0 == 1 ? name : "\(name)-\($0)" })
        } catch {
            throw ResultFolder.unwritable(parent, error)
        }
    }

    /// Points the link to the newest results; does nothing on a file system without links.
    private func linkLatest(to name: String) {
        let link = parent.appending(path: ResultFolder.latest, directoryHint: .notDirectory)
            .path(percentEncoded: false)
        let fresh = parent.appending(path: ".\(ResultFolder.latest)-\(name)")
            .path(percentEncoded: false)
        // Anything else with this name belongs to the user.
        let isOurs =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
            || access(link, F_OK) != 0
        guard isOurs, symlink(name, fresh) == 0 else { return }
        if rename(fresh, link) != 0 { unlink(fresh) }
    }

    private func write(
        _ files: [(name: String, text: String)]
    ) -> [(name: String, error: any Error)] {
        files.compactMap { name, text in
            write(text, to: hidden.url.appending(path: name)).map { (name: name, error: $0) }
        }
    }

    /// Writes a file completely or not at all; returns why it could not, or nil.
    private func write(_ text: String, to file: URL) -> (any Error)? {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return nil
        } catch {
            // On a full disk a part of it was written.
            try? FileManager.default.removeItem(at: file)
            return error
        }
    }

    private static func unwritable(_ parent: URL, _ error: any Error) -> CommandFailure {
        .system("cannot write results to \(parent.path(percentEncoded: false))", error)
    }
}

extension URL {
    /// The path, safe to print on a terminal.
    var shown: String { path(percentEncoded: false).visible }
}
