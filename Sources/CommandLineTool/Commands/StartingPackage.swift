import Foundation

/// A starting package: a client, the app that runs it under load, a profile and a test.
///
/// It builds and runs as it is. The client refreshes its token for each refused call, so there is
/// something to find. Its files are ``BuiltInFile/startingPackage``, a package named `MyApp`.
struct StartingPackage {
    /// The name of the package and its app; a Swift identifier.
    let name: String
    /// Where to get this package from: an address, or a path relative to the new folder.
    let origin: String

    /// The files by their paths in the new folder, in the order of writing.
    var files: [(path: String, text: String)] {
        BuiltInFile.startingPackage.map { (named($0.name), text($0.bytes)) }
    }

    /// The name of the executable.
    var command: String { name.lowercased() + "-squall" }

    /// The reason for which a package cannot have a name; nil when it can.
    ///
    /// Its modules and its app bear the name: they would hide, or be hidden by, what they import.
    static func reason(against name: String) -> String? {
        if ["Squall", "Foundation", "FoundationNetworking", "Testing", "Dispatch", "Swift"]
            .contains(name) || name.hasPrefix("Squall")
        {
            return "a module has that name which its files import"
        }
        let types = [
            "Self", "Type", "Protocol", "Any", "String", "Int", "Double", "Bool", "Array", "Set",
            "Dictionary", "Optional", "Result", "Error", "Void", "Never", "Data", "Date", "URL",
            "UUID", "Task", "Actor", "Sendable", "Codable", "Decodable", "Encodable", "Duration",
            "Character", "Substring", "API", "App", "Client", "URLSession", "URLRequest",
            "URLResponse", "HTTPURLResponse", "JSONDecoder", "JSONEncoder", "Test", "Suite",
            "Tokens", "APIError", "Journey", "Session", "Request", "SimulatedApp", "Device",
        ]
        return types.contains(name) ? "a type of Swift's or of its files has that name" : nil
    }

    /// True for an address, as opposed to a path.
    static func isAddress(_ origin: String) -> Bool {
        origin.contains("://") || origin.hasPrefix("git@")
    }

    /// A path or text of the template, with this package's names in it.
    private func named(_ template: String) -> String {
        template.replacing(/MyApp|myapp/) { $0.output == "MyApp" ? name : name.lowercased() }
    }

    /// A file of the template, with this package's names and origin in it.
    private func text(_ template: [UInt8]) -> String {
        // The name of the package at the origin, in the dependencies of products.
        let last = origin.split(separator: "/").last.map(String.init) ?? "Squall"
        let package = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        let dependency =
            StartingPackage.isAddress(origin)
            ? "url: \(origin.quotedForSwift), branch: \"main\""
            : "path: \(origin.quotedForSwift)"
        return named(String(decoding: template, as: UTF8.self))
            .replacing(#"package: "Squall""#, with: "package: \(package.quotedForSwift)")
            .replacing(#"path: "../Squall""#, with: dependency)
    }
}

extension String {
    /// The text as a literal of Swift.
    fileprivate var quotedForSwift: String {
        let escaped = unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
