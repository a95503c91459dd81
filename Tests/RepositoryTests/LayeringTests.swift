import Foundation
import Testing

/// Which modules each module may import, from the bottom of the architecture to the top.
///
/// An import that Package.swift doesn't allow can still compile if an earlier build has created the module.
@Suite struct LayeringTests {
    struct Layer: Sendable, CustomTestStringConvertible {
        let module: String
        let mayImport: Set<String>

        var testDescription: String { module }
    }

    static let layers = [
        Layer(module: "Platform", mayImport: ["Glibc", "Musl", "Darwin"]),
        Layer(module: "LosslessYAML", mayImport: ["CLibYAML"]),
        Layer(module: "ThreeWayMerge", mayImport: ["LosslessYAML"]),
        Layer(module: "Values", mayImport: ["LosslessYAML"]),
        Layer(module: "TodoModel", mayImport: ["LosslessYAML", "Values"]),
        Layer(
            module: "WorkingCopy",
            mayImport: ["LosslessYAML", "Values", "TodoModel", "CSystemCalls", "Logging"]),
        Layer(module: "Git", mayImport: ["Logging"]),
        Layer(module: "SQLite", mayImport: ["CSQLite"]),
        Layer(
            module: "Remotes",
            mayImport: [
                "LosslessYAML", "Values", "TodoModel", "SQLite", "CLibPQ", "Crypto", "Logging", "NIOCore",
                "NIOPosix",
            ]),
        Layer(
            module: "HTTPTransport",
            mayImport: [
                "TodoModel", "Remotes", "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1",
                "NIOHTTPCompression", "NIOSSL",
            ]),
        Layer(
            module: "SyncServer",
            mayImport: [
                "LosslessYAML", "Values", "TodoModel", "Remotes", "HummingbirdCore", "Logging",
                "ServiceLifecycle", "UnixSignals", "NIOCore", "NIOPosix", "NIOHTTP1",
                "NIOHTTPCompression", "NIOSSL",
            ]),
        Layer(
            module: "SyncEngine",
            mayImport: [
                "LosslessYAML", "Values", "ThreeWayMerge", "TodoModel", "WorkingCopy", "Git", "Logging",
            ]
        ),
        Layer(
            module: "TodosyncKit",
            mayImport: [
                "LosslessYAML", "ThreeWayMerge", "TodoModel", "WorkingCopy", "Remotes", "HTTPTransport",
                "SyncEngine", "Git", "Logging",
            ]),
        Layer(
            module: "todosync",
            mayImport: [
                "LosslessYAML", "Values", "ThreeWayMerge", "TodoModel", "WorkingCopy", "Remotes",
                "HTTPTransport", "SyncEngine", "Git", "SyncServer", "ArgumentParser", "CSystemCalls",
                "Logging",
            ]),
    ]

    /// Modules that belong to Swift or to the system, and that cost nothing at startup.
    static let standardModules: Set<String> = ["Swift", "Synchronization", "Dispatch", "Platform"]

    @Test(arguments: layers)
    func `a module imports only modules that its layer allows`(layer: Layer) {
        let files = Repository.swiftFiles(in: "Sources/" + layer.module)
        #expect(!files.isEmpty, "the table names a module that doesn't exist")
        var unused = layer.mayImport
        for file in files {
            for module in imports(of: file.code) where !Self.standardModules.contains(module) {
                unused.remove(module)
                #expect(
                    layer.mayImport.contains(module), "\(file.path) imports \(module), which is not below it")
            }
        }
        #expect(unused.isEmpty, "an unused permission would hide a new import")
    }

    @Test func `every module has a layer`() {
        let modules = Set(Repository.swiftFiles(in: "Sources").map { String($0.module) })
        #expect(modules == Set(Self.layers.map(\.module)))
    }

    /// Modules that several modules share, like Swift's own modules: those for the HTTP client and the
    /// server, and the one for logs.
    static let sharedModules: Set<String> = [
        "NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1", "NIOHTTPCompression", "NIOSSL", "Logging",
    ]

    @Test func `each external package is imported by one module`() {
        // The project's own C modules aren't layers.
        let ownModules = Set(Self.layers.map(\.module) + ["CSystemCalls"])
        for layer in Self.layers {
            for package in layer.mayImport.subtracting(ownModules).subtracting(Self.sharedModules) {
                let importers = Self.layers.filter { $0.mayImport.contains(package) }.map(\.module)
                #expect(importers == [layer.module], "\(package) is imported by more than one module")
            }
        }
    }

    @Test func `the benchmark imports nothing that it measures`() {
        let modules = Repository.swiftFiles(in: "Tests/Benchmarks").flatMap { imports(of: $0.code) }
        #expect(modules.contains("Foundation"))
        #expect(Set(modules).isSubset(of: Self.standardModules.union(["Foundation"])))
    }

    #if os(Linux)
        /// All of Foundation would add ICU's data for the world's languages to each release.
        @Test func `no package needs more of Foundation than FoundationEssentials`() throws {
            let program = try Data(contentsOf: buildFolder.appending(path: "todosync"))
            func needs(_ library: String) -> Bool {
                program.range(of: Data("\0lib\(library).so\0".utf8)) != nil
            }
            #expect(needs("FoundationEssentials"))
            #expect(!needs("Foundation") && !needs("FoundationInternationalization"))
        }
    #endif

    @Test func `imports are found after any attributes and modifiers`() {
        let code = """
            import A
            public import B.C
              @_exported public import struct D.E  // import F
            let text = "import G"
            """
        #expect(imports(of: SwiftCode(Array(code.utf8))) == ["A", "B", "D"])
    }
}

/// Returns the names of the modules that are imported, completely or in part.
private func imports(of code: SwiftCode) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    return String(decoding: code.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let position = words.firstIndex(of: "import") else { return nil }
        let path = words[(position + 1)...].first { !kinds.contains($0) }
        return path?.split(separator: ".").first.map(String.init)
    }
}
