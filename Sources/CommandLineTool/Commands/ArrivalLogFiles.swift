import Foundation
import SquallFormat
import SquallLab

/// Reads the files of arrivals that a profile names, relative to its folder.
struct ArrivalLogFiles: Sendable {
    /// The profile as messages name it.
    let profile: String
    /// The profile's text.
    let document: [UInt8]
    /// The profile's folder.
    let folder: URL
    /// True if files may lie outside the profile's folder.
    let allowsOutside: Bool
    /// The most bytes read from a file.
    private static let bytesMax = 64 << 20

    /// The instants in a file in or below the profile's folder, and the hash of its bytes.
    ///
    /// - Throws: what is wrong with the file, and where the profile names it.
    func read(_ file: String) throws -> (log: ArrivalLog, hash: String) {
        do { return try content(of: file) } catch let failure as CommandFailure {
            throw CommandFailure(
                code: failure.code, description: "\(failure.description) (\(place(of: file)))")
        }
    }

    /// The position at which the profile names a file: `p.json:7:12, /populations/0/…`.
    private func place(of file: String) -> String {
        guard let json = try? JSONNode.reading(document),
            let path = json.path(to: file, under: "file")
        else { return profile }
        let place = path.place(in: json)
        return "\(profile):\(place.line):\(place.column), \(path.pointer)"
    }

    private func content(of file: String) throws -> (log: ArrivalLog, hash: String) {
        let url = file.hasPrefix("/") ? URL(filePath: file) : folder.appending(path: file)
        guard allowsOutside || url.isInside(folder) else {
            throw CommandFailure.invalid(
                "\(file) is not beside or below the profile \(profile); --allow-outside lets files"
                    + " of arrivals lie anywhere")
        }
        let place = "\(url.path(percentEncoded: false)), which \(profile) names for its arrivals"
        let bytes = try ProfileFile.readable(place) { _ in
            try ProfileFile.bytes(of: url, atMost: Self.bytesMax + 1)
        }
        guard bytes.count <= Self.bytesMax else {
            throw CommandFailure.invalid("\(file) is larger than 64 MiB")
        }
        do {
            let log = try ArrivalLog(file: file, text: String(decoding: bytes, as: UTF8.self))
            return (log, Version.hash(of: bytes))
        } catch {
            throw CommandFailure.invalid("\(file), \(error)")
        }
    }
}

extension URL {
    /// True for a file in a folder or below it, after links are resolved.
    fileprivate func isInside(_ folder: URL) -> Bool {
        let own = standardizedFileURL.resolvingSymlinksInPath().pathComponents
        return own.starts(with: folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents)
    }
}

extension JSONNode {
    /// The path to the first key of this name with a text as value; nil if there is none.
    fileprivate func path(
        to text: String, under key: String, at path: SettingPath = .root
    ) -> SettingPath? {
        switch value {
        case .string(text) where path.lastKey == key: return path
        case .object(let members):
            return members.lazy.compactMap {
                $0.value.path(to: text, under: key, at: path.appending($0.name))
            }.first
        case .array(let elements):
            return elements.enumerated().lazy.compactMap { index, element in
                element.path(to: text, under: key, at: path.appending(index))
            }.first
        case .null, .bool, .number, .string: return nil
        }
    }
}
