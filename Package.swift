// swift-tools-version: 6.2

import PackageDescription

// Reads from the bottom of the architecture to its top; Tests/RepositoryTests hold the imports to it.

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
        .trait(name: "PostgreSQL", description: "Lets a server keep its store in PostgreSQL; needs libpq.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
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
        // PostgreSQL's client library.
        .systemLibrary(
            name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // System calls that Swift's Glibc module does not show.
        .target(name: "CSystemCalls"),
        // The platform's C library, under one name.
        .target(name: "Platform", swiftSettings: swiftSettings),
        // A YAML file read into a tree that remembers every byte; an edit touches only its own lines.
        .target(
            name: "LosslessYAML", dependencies: ["CLibYAML", "Platform"], swiftSettings: swiftSettings),
        // Base, local and remote in; merged text and conflicts out; markers written and read.
        .target(name: "ThreeWayMerge", dependencies: ["LosslessYAML"], swiftSettings: swiftSettings),
        // JSON, times, UUIDs: what records and files are written with.
        .target(name: "Values", dependencies: ["LosslessYAML"], swiftSettings: swiftSettings),
        // The shared words: todo, id, fields, version, and what a remote must do.
        .target(name: "TodoModel", dependencies: ["LosslessYAML", "Values"], swiftSettings: swiftSettings),
        // The user's files and what `.todosync` remembers of them; nothing else writes there.
        .target(
            name: "WorkingCopy", dependencies: ["TodoModel", "Values", "Platform", "CSystemCalls"],
            swiftSettings: swiftSettings),
        // The git repository around a folder; only its configuration is ever written.
        .target(name: "Git", dependencies: ["Platform"], swiftSettings: swiftSettings),
        // Where todos are pushed to and pulled from.
        .target(
            name: "Remotes",
            dependencies: [
                "TodoModel", "Values", "LosslessYAML", "Platform",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings),
        // A store offered over HTTP: the tables protocol.
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
        // Decides and does: status, push, pull, sync, resolve.
        .target(
            name: "SyncEngine", dependencies: ["WorkingCopy", "ThreeWayMerge", "TodoModel", "Values", "Git"],
            swiftSettings: swiftSettings),
        // The engine for programs in Swift: the only module with public declarations.
        .target(
            name: "TodosyncKit",
            dependencies: [
                "SyncEngine", "Remotes", "WorkingCopy", "Git", "ThreeWayMerge", "TodoModel", "LosslessYAML",
                "Platform",
            ],
            swiftSettings: swiftSettings),
        // The command line: words in, words out.
        .executableTarget(
            name: "todosync",
            dependencies: [
                "SyncEngine", "SyncServer", "Remotes", "WorkingCopy", "Git", "ThreeWayMerge", "TodoModel",
                "Values",
                "LosslessYAML", "Platform", "CSystemCalls",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Links to the README at the top, whose sections are help topics.
            resources: [.embedInCode("README.md")], swiftSettings: swiftSettings),
        // Tests: one folder a module; TestSupport holds what several of them share.
        .target(
            name: "TestSupport",
            dependencies: ["WorkingCopy", "TodoModel", "Values", "LosslessYAML", "Platform"],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "LosslessYAMLTests", dependencies: ["LosslessYAML", "Platform", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ThreeWayMergeTests", dependencies: ["ThreeWayMerge", "LosslessYAML", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ValuesTests", dependencies: ["Values", "LosslessYAML", "TestSupport"],
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
                "Remotes", "TodoModel", "Values", "LosslessYAML", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
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
                "SyncServer", "Remotes", "TodoModel", "Values", "LosslessYAML", "TestSupport",
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
                "Platform", "TestSupport",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TodosyncKitTests", dependencies: ["TodosyncKit", "TestSupport", "conflicts-tutorial"],
            swiftSettings: swiftSettings),
        // What is read of others, tried with the texts that a fuzzer found.
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
                "todosync", "SyncEngine", "Remotes", "WorkingCopy", "ThreeWayMerge", "TodoModel", "Values",
                "LosslessYAML", "Platform", "TestSupport", "stoptracer",
            ],
            exclude: ["Life", "Transcripts"], swiftSettings: swiftSettings),
        .testTarget(
            name: "RepositoryTests", dependencies: ["todosync", "benchmarks", "TestSupport"],
            swiftSettings: swiftSettings),
        // The program of TodosyncKit's documentation.
        .executableTarget(
            name: "conflicts-tutorial", dependencies: ["TodosyncKit"], path: "Tests/ConflictsTutorial",
            swiftSettings: swiftSettings),
        // Runs a program and has it stop at one of its system calls.
        .executableTarget(name: "stoptracer", path: "Tests/StopTracer"),
        // Measures todosync beside git, as processes; hence it imports none of its modules.
        .executableTarget(
            name: "benchmarks", dependencies: ["Platform"], path: "Tests/Benchmarks",
            exclude: ["Merges", "README.md"],
            swiftSettings: swiftSettings),
    ]
)
