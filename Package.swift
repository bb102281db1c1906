// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: language mode 6, explicit existentials and imports, and no
/// warning survives.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// One library target and its tests; `uses` is the whole list of arrows the module may draw.
///
/// Its tests may see more: a client is tested in a simulated world that it cannot know of.
func module(
    _ name: String, uses: [Target.Dependency] = [], testsUse: [Target.Dependency] = [],
    documents: [String] = [], goldenFiles: [String] = []
) -> [Target] {
    [
        .target(name: name, dependencies: uses, exclude: documents, swiftSettings: strict),
        .testTarget(
            name: name + "Tests",
            dependencies: [.target(name: name), "GoldenFiles"] + uses + testsUse,
            exclude: goldenFiles, swiftSettings: strict),
    ]
}

let package = Package(
    name: "Squall",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "squall", targets: ["CommandLineTool"]),
        .library(name: "Squall", targets: ["Lab", "Report", "Client", "HTTP"]),
    ],
    targets: [.target(name: "CVirtualClock")]
        + module("Kernel", uses: ["CVirtualClock"])
        + module("HTTP")
        + module("Report", goldenFiles: ["Golden"])
        + module(
            "Client", uses: ["HTTP"], testsUse: ["Backend", "Kernel"],
            documents: ["Conformance.md"])
        + module("Backend", uses: ["HTTP", "Kernel"])
        + module(
            "Apps", uses: ["Client", "HTTP"], testsUse: ["Kernel"],
            documents: [
                "OOTD/OOTD.md", "Scrolly/Scrolly.md", "ShareD/ShareD.md",
                "ThisBookThatBook/ThisBookThatBook.md",
            ])
        + module(
            "Lab", uses: ["Apps", "Backend", "Client", "HTTP", "Kernel", "Report"],
            goldenFiles: ["Profile/Golden"])
        + [
            .executableTarget(
                name: "CommandLineTool", dependencies: ["Lab", "Report"], swiftSettings: strict),
            .testTarget(
                name: "CommandLineToolTests",
                dependencies: ["CommandLineTool", "GoldenFiles", "Lab", "Report"],
                exclude: ["Golden"], swiftSettings: strict),
            .testTarget(
                name: "EndToEndTests", dependencies: ["CommandLineTool"], swiftSettings: strict),
            .testTarget(name: "TidyTests", swiftSettings: strict),
            .target(name: "GoldenFiles", path: "Tests/GoldenFiles", swiftSettings: strict),
        ],
    swiftLanguageModes: [.v6]
)
