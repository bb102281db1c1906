import Foundation

/// A starting package: a client, the app that runs it under load, a profile and a test.
///
/// It builds and runs as it is. The client refreshes its token for each refused call, so there is
/// something to find. Its files are those of the folder `StartingPackage`, a package named `MyApp`.
struct StartingPackage {
    /// The name of the package and its app; a Swift identifier.
    let name: String
    /// Where to get this package from: an address, or a path relative to the new folder.
    let origin: String

    /// The files by their paths in the new folder, in the order of writing.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", text(PackageResources.Package_swift_txt)),
            ("Sources/\(name)Client/API.swift", text(PackageResources.API_swift_txt)),
            ("Sources/\(command)/\(name).swift", text(PackageResources.App_swift_txt)),
            ("Sources/\(command)/main.swift", text(PackageResources.main_swift_txt)),
            ("Tests/\(name)Tests/RefreshTests.swift", text(PackageResources.Tests_swift_txt)),
            ("load.json", text(PackageResources.load_json_txt)),
        ]
    }

    /// The name of the executable.
    var command: String { name.lowercased() + "-squall" }

    /// Whether the origin is an address, as opposed to a path.
    static func isAddress(_ origin: String) -> Bool {
        origin.contains("://") || origin.hasPrefix("git@")
    }

    /// A file of the template, with this package's names and origin in it.
    private func text(_ template: [UInt8]) -> String {
        // The name of the package at the origin, in the dependencies of products.
        let last = origin.split(separator: "/").last.map(String.init) ?? "Squall"
        let package = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        let dependency =
            StartingPackage.isAddress(origin)
            ? #"url: "\#(origin)", branch: "main""# : #"path: "\#(origin)""#
        return String(decoding: template, as: UTF8.self)
            .replacing(/MyApp|myapp/) { $0.output == "MyApp" ? name : name.lowercased() }
            .replacing(#"package: "Squall""#, with: #"package: "\#(package)""#)
            .replacing(#"path: "../Squall""#, with: dependency)
    }
}
