import Foundation
import Testing

@testable import CommandLineTool

@Suite("Where a written package finds Squall")
struct NewPackageTests {
    @Test(
        "A package finds Squall by a path from its own folder, so also where both are mounted",
        arguments: [
            ("Shop", nil, "../Squall"), ("deep/Shop", "Squall", "../../Squall"),
            ("Squall/Shop", "Squall", "../../Squall"),
            ("deep/Shop", "other/Squall", "../../other/Squall"),
        ])
    func relativeOrigin(folder: String, given: String?, path: String) throws {
        let squall = try PlayedTool()
        for place in ["Squall", "other/Squall"] {
            try squall.write("// SquallTool", to: "\(place)/Package.swift")
        }
        let words = ["new", "--swift", folder] + (given.map { ["--package", $0] } ?? [])
        #expect(squall.run(words) == .passed)
        let manifest = try squall.read("\(folder)/Package.swift")
        #expect(
            manifest.contains("(path: \"\(path)\")") && manifest.contains("package: \"Squall\""))
    }

    @Test("Above a link the path is absolute, since .. is another folder there")
    func linkedOrigin() throws {
        let squall = try PlayedTool()
        try squall.write("// SquallTool", to: "Squall/Package.swift")
        try squall.write("", to: "far/deep/file")
        try FileManager.default.createSymbolicLink(
            at: squall.folder.appending(path: "link"),
            withDestinationURL: squall.folder.appending(path: "far/deep"))
        #expect(squall.run(["new", "--swift", "link/Shop", "--package", "Squall"]) == .passed)
        let manifest = try squall.read("link/Shop/Package.swift")
        #expect(manifest.contains("(path: \"/") && manifest.contains("/Squall\")"))
    }
}
