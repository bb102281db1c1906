import Foundation
import SquallFormat

/// The version and identity of this build.
public enum Version {
    /// The version of Squall.
    public static let current = SquallVersion.current

    /// `debug` or `release`.
    public static var buildMode: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    static var toolchain: String {
        #if compiler(>=6.4)
            "Swift 6.4 or later"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift before 6.3"
        #endif
    }

    /// This program's file; nil where the system does not tell.
    ///
    /// On Linux it does not use `Bundle.main`, which traps if it cannot read the file itself.
    static var executable: URL? {
        #if os(Linux)
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                .map { URL(filePath: $0) }
        #else
            Bundle.main.executableURL
        #endif
    }

    /// Identifies this program, so that it never takes another build's results for its own: the
    /// version, how it was built, and a 64-bit hash of its file.
    ///
    /// Schedules are only valid for their build: the optimiser decides how many points they have.
    ///
    /// - Throws: a `CommandFailure` where the file cannot be read.
    static var build: String {
        get throws { try readBuild.get() }
    }

    private static let readBuild = Result {
        let file = executable ?? URL(filePath: CommandLine.arguments[0])
        var hash = StableHash()
        do {
            let data = try Data(contentsOf: file, options: .mappedIfSafe)
            hash.mix(data.count)
            data.withUnsafeBytes { bytes in
                for word in bytes.bindMemory(to: UInt64.self) { hash.mix(word) }
            }
        } catch {
            throw CommandFailure.system(
                "cannot read this program to identify its build", error)
        }
        return "\(current)-\(buildMode)-\(hash.value.hexadecimal)"
    }

    /// Tells this program's file from others cheaply, by its size and modification time; nil where
    /// it cannot be read.
    static var stamp: String? {
        var facts = stat()
        guard let path = executable?.systemPath, stat(path, &facts) == 0 else { return nil }
        #if os(Linux)
            let written = facts.st_mtim
        #else
            let written = facts.st_mtimespec
        #endif
        return "\(facts.st_size)-\(written.tv_sec).\(written.tv_nsec)"
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "unknown"
        #endif
    }

    /// The commit checked out where this program was built; nil if it runs elsewhere.
    static var commit: String? {
        let executable = executable?.resolvingSymlinksInPath()
        guard let parts = executable?.pathComponents, let build = parts.lastIndex(of: ".build")
        else { return nil }
        let package = URL(filePath: "/" + parts[1..<build].joined(separator: "/"))
        let git = package.appending(path: ".git", directoryHint: .isDirectory)
        func line(_ name: String) -> String? {
            (try? String(contentsOf: git.appending(path: name), encoding: .utf8))?
                .split(separator: "\n").first.map(String.init)
        }
        guard let head = line("HEAD") else { return nil }
        return head.hasPrefix("ref: ") ? line(String(head.dropFirst(5))) : head
    }

    /// The FNV-1a hash of bytes, 64 bits in hexadecimal.
    static func hash(of bytes: some Sequence<UInt8>) -> String {
        StableHash(of: bytes).value.hexadecimal
    }
}
