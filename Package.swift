// swift-tools-version: 6.3
import PackageDescription

// SwiftPM refuses such flags in a dependency by version, so a checkout has none.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// In debug, a module is compiled as one unit: a quarter less work.
///
/// A change of one file costs its module.
let asOneUnit = SwiftSetting.unsafeFlags(
    ["-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"],
    .when(configuration: .debug))

/// Settings of every Swift target: language mode 6, explicit existentials and imports, and no
/// warning survives.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + (isDependency ? [] : [asOneUnit])

/// A release build optimizes neither tests nor what asks for runs and tells what they came to.
///
/// No attempt, line of a log or row of a page passes through it, and it would be a tenth of the work.
let unoptimized: [SwiftSetting] =
    isDependency ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]
let inTests = strict + unoptimized

/// For apps: their functions run in steps' tasks, on no actor, and looking for one costs each call.
let onNoActor: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// One library target and its tests; `uses` is the whole list of arrows the module may draw.
///
/// Its tests may see more: a client is tested in a simulated world that it cannot know of.
func module(
    _ name: String, uses: [Target.Dependency] = [], testsUse: [Target.Dependency] = [],
    documents: [String] = [], goldenFiles: [String] = [], settings: [SwiftSetting] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: uses, exclude: documents, swiftSettings: strict + settings),
        .testTarget(
            name: name + "Tests",
            dependencies: [.target(name: name), "TestSupport"] + uses + testsUse,
            exclude: goldenFiles, swiftSettings: inTests),
    ]
}

let package = Package(
    name: "Squall",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "squall", targets: ["CommandLineExecutable"]),
        // For those who work on this package.
        .executable(name: "squall-dev", targets: ["DeveloperTool"]),
        // For test targets: a client of one's own in a world. Links neither apps nor reports. Worlds
        // run on Linux only; on a Mac the tests run in a container (NetworkingOnLinux.md).
        .library(name: "Squall", targets: ["Squall"]),
        // Loaded into other people's programs by `squall serve --virtual`, which finds it beside itself.
        .library(name: "SquallPreload", type: .dynamic, targets: ["SquallPreload"]),
        // For an executable with every command and one's own apps and services.
        .library(
            name: "SquallTool",
            targets: [
                "SquallTool", "SquallApps", "SquallBackend", "SquallClient", "SquallFormat",
                "SquallHTTP", "SquallKernel", "SquallServices",
            ]),
    ],
    targets: [
        .target(name: "CVirtualClock"),
        .target(name: "CSockets"),
        .target(name: "CSteppedTime"),
        // The package's profiles, known by name wherever the tool is, and what `new --swift` writes.
        .target(name: "CBuiltInFiles", exclude: ["StartingPackage"]),
        // Part of no other target: it replaces functions of the C library. Of no other library either:
        // a program in Swift that loads it has a runtime of its own.
        .target(
            name: "SquallPreload",
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-nostartfiles", "-no-toolchain-stdlib-rpath", "-use-ld=lld", "-Xlinker",
                        "--remap-inputs=*/libswiftCore.so=/dev/null",
                    ], .when(platforms: [.linux]))
            ]),
        // Not for the tool: in a static link libdispatch would define the same functions again.
        .target(name: "CVirtualDispatch", dependencies: ["CVirtualClock"]),
    ]
        + module("SquallKernel", uses: ["CVirtualClock", "SquallFormat"])
        + module("SquallHTTP")
        // What the wire shows of a client: told event by event; sees no world, socket or log.
        + module("SquallJudge", uses: ["SquallHTTP"])
        // HTTP/1.1 over real sockets: knows nothing of what answers.
        + module("SquallSockets", uses: ["CSockets", "SquallHTTP"])
        // What is read and shown: JSON with places, settings; sections, tables and pictures as text
        // and as a page.
        + module("SquallFormat")
        + module("SquallReport", uses: ["SquallFormat"], goldenFiles: ["Golden"])
        // What a log or a description tells: makes no simulation, so that no result of a run can
        // depend on it. Its clients are judged as all are.
        + module(
            "SquallFit",
            uses: ["SquallFormat", "SquallHTTP", "SquallJudge", "SquallKernel", "SquallReport"])
        + module(
            "SquallClient", uses: ["SquallHTTP"],
            testsUse: ["SquallBackend", "SquallKernel", "SquallLab"],
            documents: ["Conformance.md"])
        + module(
            "SquallBackend", uses: ["SquallFormat", "SquallHTTP", "SquallKernel"],
            testsUse: ["SquallCases", "SquallServices"])
        + module(
            "SquallServices",
            uses: ["SquallBackend", "SquallFormat", "SquallHTTP", "SquallKernel"])
        + module(
            "SquallRaces",
            uses: [
                "SquallBackend", "SquallFormat", "SquallHTTP", "SquallJudge", "SquallKernel",
                "SquallServices",
            ], goldenFiles: ["Golden"])
        + [
            .target(
                name: "SquallApps", dependencies: ["SquallClient", "SquallHTTP"],
                swiftSettings: strict + onNoActor)
        ]
        // Worked cases, made with what any executable's apps and services have: nothing outside
        // names one of them.
        + module(
            "SquallCases",
            uses: [
                "SquallApps", "SquallBackend", "SquallClient", "SquallFormat", "SquallHTTP",
                "SquallKernel", "SquallServices",
            ], testsUse: ["SquallLab"],
            documents: [
                "Apps/Journeys.md", "Apps/OOTD/OOTD.md", "Apps/Scrolly/Scrolly.md",
                "Apps/ShareD/ShareD.md", "Apps/ThisBookThatBook/ThisBookThatBook.md",
            ], settings: onNoActor)
        + module(
            "SquallLab",
            uses: [
                "SquallApps", "SquallBackend", "SquallClient", "SquallFormat", "SquallHTTP",
                "SquallJudge", "SquallKernel", "SquallRaces", "SquallReport", "SquallServices",
            ], testsUse: ["SquallCases", "SquallProof"])
        // One answer of many runs, so that no run can depend on an answer.
        + module(
            "SquallAnswers",
            uses: [
                "SquallApps", "SquallBackend", "SquallClient", "SquallFormat", "SquallHTTP",
                "SquallKernel", "SquallLab", "SquallRaces", "SquallReport", "SquallServices",
            ], testsUse: ["SquallProof"], goldenFiles: ["Golden"], settings: unoptimized)
        // Real time behind sockets: the backend for clients that cannot come inside, and a profile's
        // users in front of a real server.
        + module(
            "SquallLive",
            uses: [
                "CSteppedTime", "SquallBackend", "SquallFit", "SquallFormat", "SquallHTTP",
                "SquallKernel", "SquallLab", "SquallRaces", "SquallReport", "SquallServices",
                "SquallSockets",
            ], testsUse: ["SquallApps", "SquallCases"])
        + module(
            "Squall",
            uses: [
                "CVirtualClock", "CVirtualDispatch", "SquallBackend", "SquallFormat", "SquallHTTP",
                "SquallKernel", "SquallRaces", "SquallServices",
            ],
            testsUse: ["CrowdedApp"], goldenFiles: ["Drills/Golden", "Exchanges"])
        + [
            // A client as anybody has one, which imports nothing of this package, and the test that
            // plays it.
            .target(
                name: "PostsClient", path: "Sources/Examples/PostsClient", swiftSettings: strict),
            .testTarget(
                name: "PostsClientTests", dependencies: ["PostsClient", "Squall"],
                path: "Sources/Examples/PostsClientTests", swiftSettings: inTests),
            // A client on completion handlers and queues, which imports nothing of this package.
            .target(
                name: "CallbackClient", path: "Sources/Examples/CallbackClient",
                swiftSettings: strict),
            .target(
                name: "SquallTool",
                dependencies: [
                    "CommandLineTool", "Squall", "SquallApps", "SquallCases", "SquallClient",
                    "SquallHTTP", "SquallKernel", "SquallLab", "SquallServices",
                ],
                swiftSettings: strict + unoptimized),
            // A client of one's own with every command: an executable of ten lines.
            .executableTarget(
                name: "posts-squall",
                dependencies: [
                    "CallbackClient", "PostsClient", "SquallApps", "SquallClient", "SquallServices",
                    "SquallTool",
                ],
                path: "Sources/Examples/PostsTool", exclude: ["posts-load.json"],
                swiftSettings: strict + unoptimized),
        ]
        + module(
            "SquallProof",
            uses: [
                "SquallAnswers", "SquallApps", "SquallBackend", "SquallCases", "SquallClient",
                "SquallFormat", "SquallHTTP", "SquallKernel", "SquallLab", "SquallRaces",
                "SquallReport", "SquallServices",
            ])
        + [
            .executableTarget(
                name: "CommandLineExecutable", dependencies: ["CommandLineTool", "SquallCases"],
                swiftSettings: strict + unoptimized),
            .target(
                name: "CommandLineTool",
                dependencies: [
                    "CBuiltInFiles", "SquallAnswers", "SquallApps", "SquallBackend", "SquallFit",
                    "SquallFormat", "SquallHTTP", "SquallKernel", "SquallLab", "SquallLive",
                    "SquallRaces", "SquallReport", "SquallServices", "SquallSockets",
                ],
                swiftSettings: strict + unoptimized),
            .executableTarget(
                name: "DeveloperTool",
                dependencies: [
                    "CommandLineTool", "Squall", "SquallCases", "SquallFormat", "SquallKernel",
                    "SquallLab", "SquallProof", "SquallReport", "SquallServices",
                ],
                swiftSettings: strict),
            .testTarget(
                name: "CommandLineToolTests",
                dependencies: [
                    "CommandLineTool", "DeveloperTool", "TestSupport", "SquallAnswers",
                    "SquallApps", "SquallFit",
                    "SquallFormat", "SquallLab", "SquallProof", "SquallRaces", "SquallReport",
                    "SquallServices", "SquallTool",
                ],
                exclude: ["Golden"], swiftSettings: inTests),
            .testTarget(
                name: "EndToEndTests",
                dependencies: ["CommandLineExecutable", "DeveloperTool", "posts-squall"],
                exclude: ["LiveClients"], swiftSettings: inTests),
            .testTarget(name: "TidyTests", dependencies: ["TestSupport"], swiftSettings: inTests),
            // An app with the names that networking layers like, beside which `Squall` is imported.
            .target(name: "CrowdedApp", path: "Tests/CrowdedApp", swiftSettings: strict),
            .target(name: "TestStart", path: "Tests/TestStart"),
            .target(
                name: "TestSupport",
                dependencies: [
                    "SquallApps", "SquallBackend", "SquallCases", "SquallFormat", "SquallKernel",
                    "SquallRaces", "SquallReport", "SquallServices", "TestStart",
                ],
                path: "Tests/TestSupport", swiftSettings: strict + unoptimized),
        ],
    swiftLanguageModes: [.v6]
)
