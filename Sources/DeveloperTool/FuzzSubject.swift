import CommandLineTool
import Foundation
import SquallFormat
import SquallLab
import SquallProof

/// A kept profile, a random one, or a command line that is tried.
enum FuzzSubject: Hashable, Sendable {
    /// A file; its files of arrivals are beside it.
    case kept(String)
    /// The random profile of a number.
    case drawn(UInt64)
    /// The random command line of a number.
    case line(UInt64)

    /// The subject's name in messages.
    var name: String {
        switch self {
        case .kept(let path): path
        case .drawn(let number): "profile \(number)"
        case .line(let number): "line \(number)"
        }
    }

    /// True for a command line, as opposed to a profile.
    var isLine: Bool {
        switch self {
        case .kept(let path): path.hasSuffix(FuzzLine.suffix)
        case .drawn: false
        case .line: true
        }
    }

    /// The command lines.
    ///
    /// - Throws: when a kept file cannot be read.
    func line(seed: UInt64, base: [String: String], console: any Console) throws -> FuzzLine {
        switch self {
        case .kept(let path):
            return try JSONDocument.read(
                FuzzLine.self, from: Data(contentsOf: console.file(path)))
        case .drawn(let number), .line(let number):
            var draw = FuzzLineDraw(number, seed: seed, base: base)
            return try draw.line()
        }
    }

    /// The profile; nil for one of the few numbers that have none.
    ///
    /// - Throws: when a kept file cannot be read.
    func profile(
        of draw: ProfileDraw, seed: UInt64, console: any Console
    ) throws -> DrawnProfile? {
        switch self {
        case .line: return nil
        case .drawn(let number): return draw.profile(number, seed: seed)
        case .kept(let path):
            let file = console.file(path)
            let node = try JSONParser.parse(Array(try Data(contentsOf: file)))
            var drawn = DrawnProfile(document: JSON(node))
            for name in try drawn.arrivalFiles() {
                let text = try Data(
                    contentsOf: file.deletingLastPathComponent().appending(path: name))
                drawn.files[name] = String(decoding: text, as: UTF8.self)
            }
            return drawn
        }
    }
}

extension DrawnProfile {
    /// The files of arrivals that the profile names, where it can be read.
    fileprivate func arrivalFiles() throws -> [String] {
        var names: [String] = []
        _ = try checked(.installed).readingArrivalLogs { file in
            names.append(file)
            return try ArrivalLog(file: file, text: "")
        }
        return names
    }
}
