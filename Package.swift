// swift-tools-version: 6.2

import PackageDescription

// The targets go from the bottom of the architecture to the top. Tests/RepositoryTests checks their imports.

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "todosync",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "todosync", targets: ["todosync"]),
        .library(name: "TodosyncKit", targets: ["TodosyncKit"]),
    ],
    traits: [
        .default(enabledTraits: ["HTTP"]),
        .trait(name: "HTTP", description: "Connects to servers over HTTP, and serves stores."),
        .trait(
            name: "PostgreSQL", description: "Lets a server keep its store in PostgreSQL; needs libpq.",
            enabledTraits: ["HTTP"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ],
    targets: [
        // The C library that parses YAML.
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        // The database of a store in a folder. macOS has it in its SDK.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // PostgreSQL's client library.
        .systemLibrary(
            name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // System calls that Swift's Glibc module lacks.
        .target(
            name: "CSystemCalls",
            cSettings: ["TODOSYNC_COMMIT", "TODOSYNC_DATE"].map {
                .define($0, to: Context.environment[$0] ?? "")
            }),
        // The platform's C library, under one name.
        .target(name: "Platform", swiftSettings: swiftSettings),
        // Parses YAML into a tree that preserves every byte. An edit changes only its own lines.
        .target(
            name: "LosslessYAML", dependencies: ["CLibYAML", "Platform"], swiftSettings: swiftSettings),
        // Merges the base, local and remote texts. Writes and reads conflict markers.
        .target(name: "ThreeWayMerge", dependencies: ["LosslessYAML"], swiftSettings: swiftSettings),
        // The formats of records and files: JSON, times, UUIDs.
        .target(name: "Values", dependencies: ["LosslessYAML", "Platform"], swiftSettings: swiftSettings),
        // The shared types: todo, id, fields, version, and the protocol for remotes.
        .target(name: "TodoModel", dependencies: ["LosslessYAML", "Values"], swiftSettings: swiftSettings),
        // The user's files and the state in `.todosync`. No other module writes there.
        .target(
            name: "WorkingCopy",
            dependencies: [
                "TodoModel", "Values", "Platform", "CSystemCalls",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        // The git repository around a folder. todosync writes only its configuration.
        .target(
            name: "Git", dependencies: ["Platform", .product(name: "Logging", package: "swift-log")],
            swiftSettings: swiftSettings),
        // SQLite's connections, statements and transactions.
        .target(name: "SQLite", dependencies: ["CSQLite", "Platform"], swiftSettings: swiftSettings),
        // The remotes that todos are pushed to and pulled from.
        .target(
            name: "Remotes",
            dependencies: [
                "TodoModel", "Values", "LosslessYAML", "SQLite", "Platform",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: swiftSettings),
        // Sends requests to servers.
        .target(
            name: "HTTPTransport",
            dependencies: [
                "Remotes", "TodoModel", "Platform",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        // Serves a store over HTTP with the tables protocol.
        .target(
            name: "SyncServer",
            dependencies: [
                "Remotes", "TodoModel", "Values", "LosslessYAML", "Platform",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("openapi.json")], swiftSettings: swiftSettings),
        // Plans and applies changes: status, push, pull, sync, resolve.
        .target(
            name: "SyncEngine",
            dependencies: [
                "WorkingCopy", "ThreeWayMerge", "TodoModel", "Values", "Git",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        // The engine as a library for Swift programs: the only module with public declarations.
        .target(
            name: "TodosyncKit",
            dependencies: [
                "SyncEngine", "Remotes", "WorkingCopy", "Git", "ThreeWayMerge", "TodoModel", "LosslessYAML",
                "Platform", .target(name: "HTTPTransport", condition: .when(traits: ["HTTP"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        // The command line: parses arguments, and prints reports.
        .executableTarget(
            name: "todosync",
            dependencies: [
                "SyncEngine", "Remotes", "WorkingCopy", "Git", "ThreeWayMerge", "TodoModel", "Values",
                "LosslessYAML", "Platform", "CSystemCalls",
                .target(name: "HTTPTransport", condition: .when(traits: ["HTTP"])),
                .target(name: "SyncServer", condition: .when(traits: ["HTTP"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // Links to the pages of the documentation that are help topics.
            resources: [.embedInCode("Help/Pages")], swiftSettings: swiftSettings),
        // Tests: one folder for each module. TestSupport contains the code that several of them share.
        .target(
            name: "TestSupport",
            dependencies: ["WorkingCopy", "TodoModel", "Values", "LosslessYAML", "Platform"],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "LosslessYAMLTests", dependencies: ["LosslessYAML", "Platform", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ThreeWayMergeTests", dependencies: ["ThreeWayMerge", "LosslessYAML", "TestSupport"],
            exclude: ["GoldenMerges.json"], swiftSettings: swiftSettings),
        .testTarget(
            name: "ValuesTests", dependencies: ["Values", "LosslessYAML", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SQLiteTests", dependencies: ["SQLite", "Platform", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TodoModelTests", dependencies: ["TodoModel", "Values", "LosslessYAML", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WorkingCopyTests",
            dependencies: ["WorkingCopy", "TodoModel", "Values", "LosslessYAML", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "RemotesTests",
            dependencies: [
                "Remotes", "HTTPTransport", "SQLite", "TodoModel", "Values", "LosslessYAML", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SyncServerTests",
            dependencies: [
                "SyncServer", "HTTPTransport", "Remotes", "TodoModel", "Values", "LosslessYAML",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: [
                "SyncEngine", "Remotes", "WorkingCopy", "ThreeWayMerge", "TodoModel", "Values",
                "LosslessYAML", "Git",
                "Platform", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TodosyncKitTests", dependencies: ["TodosyncKit", "TestSupport", "conflicts-tutorial"],
            swiftSettings: swiftSettings),
        // Tries the parsers of untrusted texts with the texts that a fuzzer found.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "SyncEngine", "WorkingCopy", "ThreeWayMerge", "TodoModel", "Values", "LosslessYAML",
                "Platform", "TestSupport",
            ],
            exclude: ["Corpus", "Fuzzer", "run"], swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "todosync", "SyncEngine", "Remotes", "HTTPTransport", "WorkingCopy", "ThreeWayMerge",
                "TodoModel", "Values",
                "LosslessYAML", "Platform", "TestSupport", "stoptracer",
            ],
            exclude: ["Life", "Screens", "Transcripts"], swiftSettings: swiftSettings),
        .testTarget(
            name: "RepositoryTests", dependencies: ["todosync", "benchmarks", "TestSupport"],
            swiftSettings: swiftSettings),
        // The program in TodosyncKit's documentation.
        .executableTarget(
            name: "conflicts-tutorial", dependencies: ["TodosyncKit"], path: "Tests/ConflictsTutorial",
            swiftSettings: swiftSettings),
        // Runs a program and stops it at one of its system calls.
        .executableTarget(name: "stoptracer", path: "Tests/StopTracer"),
        // Compares todosync with git. It runs both as processes, so it doesn't import the modules that it
        // measures.
        .executableTarget(
            name: "benchmarks", dependencies: ["Platform"], path: "Tests/Benchmarks",
            exclude: ["Merges", "README.md"],
            swiftSettings: swiftSettings),
    ]
)
