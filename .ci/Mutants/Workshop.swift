import Foundation

/// The checkout in which mutants are tried, one at a time; each file gets back what was in it.
struct Workshop {
    /// What came of a mutant.
    enum Outcome: String {
        case doesNotBuild = "does not build"
        case noticedByNearest = "noticed by the nearest"
        case noticedByAll = "noticed by the rest"
        case survived
    }

    /// How far a mutant is taken.
    enum Stages: String, CaseIterable { case nearest, all }

    static let folder = ".build/mutants"
    private static let saved = folder + "/saved"
    private static let savedPath = folder + "/saved.path"
    /// A test that takes longer than that hangs, which is noticed as well.
    private static let nearestSeconds = 300
    private static let allSeconds = 2_400

    let flags: [String]

    /// Gives back what an interrupted trial had changed.
    static func restore() throws {
        guard let path = try? String(contentsOfFile: savedPath, encoding: .utf8) else { return }
        let original = try Data(contentsOf: URL(filePath: saved))
        try original.write(to: URL(filePath: path))
        try FileManager.default.removeItem(atPath: savedPath)
    }

    /// Tries a mutant; the file is as before when this returns.
    func tried(_ mutant: Mutant, _ stages: Stages) throws -> Outcome {
        let file = URL(filePath: mutant.path)
        let original = try Data(contentsOf: file)
        try original.write(to: URL(filePath: Self.saved))
        // Written last: where it is, the saved file is whole.
        try Data(mutant.path.utf8).write(to: URL(filePath: Self.savedPath), options: .atomic)
        defer { try? Self.restore() }
        var bytes = original
        bytes.replaceSubrange(mutant.range, with: Data(mutant.after.utf8))
        try bytes.write(to: file)
        return outcome(of: mutant, stages)
    }

    private func outcome(of mutant: Mutant, _ stages: Stages) -> Outcome {
        guard passes(["build", "--build-tests"] + flags, seconds: 1_200) else {
            return .doesNotBuild
        }
        let test = ["test", "--skip-build"] + flags
        // Nothing is run by a filter that matches nothing.
        let nearest = test + ["--filter", "^\(mutant.nearestTests)\\."]
        if FileManager.default.fileExists(atPath: "Tests/" + mutant.nearestTests),
            !passes(nearest, seconds: Self.nearestSeconds)
        {
            return .noticedByNearest
        }
        guard stages == .all else { return .survived }
        return passes(test, seconds: Self.allSeconds) ? .survived : .noticedByAll
    }

    /// Builds what mutants are made of, and holds that its tests pass: what fails anyway notices
    /// nothing.
    func isSound(for mutants: [Mutant]) -> Bool {
        guard passes(["build", "--build-tests"] + flags, seconds: 3_600) else { return false }
        let suites = Set(mutants.map(\.nearestTests)).sorted().map { "^\($0)\\." }
        return passes(
            ["test", "--skip-build"] + flags + suites.flatMap { ["--filter", $0] }, seconds: 3_600)
    }

    private func passes(_ words: [String], seconds: Int) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "--foreground", "-k", "5", "\(seconds)", "swift"] + words
        let log = Self.folder + "/last.log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: log)
        process.standardError = process.standardOutput
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
