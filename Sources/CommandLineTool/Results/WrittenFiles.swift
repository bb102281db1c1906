import Foundation
import SquallFormat
import SquallReport

/// The files of a result folder as its manifest lists them.
struct WrittenFiles {
    private let folder: URL
    private let hashes: [String: String]

    init(of manifest: Manifest, in folder: URL) {
        self.folder = folder
        hashes = Dictionary(
            manifest.outputs.map { ($0.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    }

    /// Fails if a file that is read back has changed since it was written.
    ///
    /// A file without a manifest beside it was taken out of its folder and is not checked.
    static func check(_ file: URL, _ data: Data) throws(CommandFailure) {
        let folder = file.deletingLastPathComponent()
        let manifest = folder.appending(path: ResultFolder.manifest)
        guard let text = try? Data(contentsOf: manifest) else { return }
        guard let manifest = try? JSONDocument.read(Manifest.self, from: text) else { return }
        try WrittenFiles(of: manifest, in: folder).check(file.lastPathComponent, data)
    }

    /// Fails if any file has changed since it was written.
    func checkAll() throws(CommandFailure) {
        for name in hashes.keys.sorted() {
            try check(name, try? Data(contentsOf: folder.appending(path: name)))
        }
    }

    private func check(_ name: String, _ data: Data?) throws(CommandFailure) {
        guard let then = hashes[name] else { return }
        let file = folder.appending(path: name).shown
        guard let data else { throw failure("\(file) was among these results and is gone") }
        let now = Version.hash(of: data)
        guard now != then else { return }
        throw failure(
            "\(file) is not what was written: its hash is \(now), and \(ResultFolder.manifest)"
                + " says \(then.excerpt())")
    }

    private func failure(_ problem: String) -> CommandFailure {
        let profile = folder.appending(path: ResultFolder.profile).shown.quotedForShell
        return .invalid(problem + "\nto have it again, run the profile: squall run \(profile)")
    }
}
