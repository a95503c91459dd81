import Foundation
import TestSupport
import Testing

/// The conflict blocks in each of git's styles for different changes, each resolved in each way.
///
/// Each run of git has all shapes, each in a file of its own.
@Suite(.ownThreads) struct GitConflictShapeTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        var operation: GitConflictTests.Operation
        var style: ConflictShape.Style
        var testDescription: String { "\(style): \(operation.command)" }

        static let all = GitConflictTests.Operation.all.flatMap { operation in
            ConflictShape.Style.allCases.map { Scene(operation: operation, style: $0) }
        }

        /// The shapes whose todos are tracked after the operation: `stash pop` and `revert` can't add a todo
        /// on both sides.
        var shapes: [ConflictShape] {
            let addsOnBothSides = ["merge", "rebase", "cherry-pick"].contains {
                operation.command.contains($0)
            }
            return ConflictShape.all.filter { $0.base != nil || addsOnBothSides }
        }
    }

    @Test(arguments: PropertySeeds.sample(Scene.all, oneOf: 4))
    func `each shape is read, and resolved in each way`(_ scene: Scene) throws {
        let folder = try conflicts(of: scene)
        let (shapes, style) = (scene.shapes, scene.style)
        try expect(shapes, in: folder, "a") { $0.marked(style) }
        let status = try shell(
            "cd a; todosync status | sed -n 's/.*  \\(.*\\).yaml  .* have different \\(.*\\)/\\1: \\2/p'",
            in: folder)
        #expect(status.output == shapes.map { "\($0.name): \($0.fields)\n" }.joined())

        for side in ConflictShape.Side.allCases { try takeSide(side, of: scene, in: folder) }
        try takeEditedFiles(scene, in: folder)
        try useTool(scene, in: folder)
        for first in [ConflictShape.Side.local, .remote] { try answerQuestions(scene, first, in: folder) }
    }

    private func takeSide(
        _ side: ConflictShape.Side, of scene: Scene, in folder: ThrowAwayFolder
    ) throws {
        let resolved = scene.shapes.filter { side != .base || $0.hasBase(scene.style) }
        let result = try shell(
            "cp -r a \(side); cd \(side); todosync resolve --use \(side) --all", in: folder)
        #expect(result.status == (resolved.count == scene.shapes.count ? 0 : 1))
        #expect(resolved.isEmpty || result.output.contains(Self.hint(resolved)), "\(result.output)")
        try expect(scene.shapes, in: folder, "\(side)") { shape in
            if side != .base { return shape.whole(side) }
            return shape.hasBase(scene.style)
                ? shape.resolved(scene.style) { _ in .base } : shape.marked(scene.style)
        }
    }

    private func takeEditedFiles(_ scene: Scene, in folder: ThrowAwayFolder) throws {
        let refused = try shell("cp -r a edited; cd edited; todosync resolve", in: folder)
        #expect(refused.status == 1 && !refused.output.contains("git add"))
        try expect(scene.shapes, in: folder, "edited") { $0.marked(scene.style) }
        let edited = { (shape: ConflictShape) in shape.whole(.remote) + "# edited" + shape.ending }
        for shape in scene.shapes { try folder.write(edited(shape), to: "edited/\(shape.name).yaml") }
        let result = try shell("cd edited; todosync resolve", in: folder)
        #expect(result.status == 0 && result.output.contains(Self.hint(scene.shapes)), "\(result.output)")
        try expect(scene.shapes, in: folder, "edited", edited)
    }

    private func useTool(_ scene: Scene, in folder: ThrowAwayFolder) throws {
        let result = try shell("cp -r a tool; cd tool; todosync resolve --tool mine", in: folder)
        #expect(result.status == 0 && result.output.contains(Self.hint(scene.shapes)), "\(result.output)")
        try expect(scene.shapes, in: folder, "tool") { $0.whole(.remote) }
        let seen = scene.shapes.map { shape in
            shape.whole(.local) + (scene.style == .merge ? "" : shape.resolved(scene.style) { _ in .base })
                + shape.whole(.remote)
        }
        #expect(try folder.read("seen") == seen.joined())
        // git ends the operation after this command.
        let end = """
            cd tool; git add --all
            # Nothing may be left to commit.
            (\(scene.operation.end)) > ../log 2>&1 || git rebase --skip > ../log 2>&1
            git ls-files --unmerged; todosync status | grep 'Conflicts\\|Invalid'; todosync fsck
            """
        #expect(try shell(end, in: folder).output == "all is well\n")
    }

    /// Answers the questions about a file with alternating sides, beginning with the given one.
    private func answerQuestions(
        _ scene: Scene, _ first: ConflictShape.Side, in folder: ThrowAwayFolder
    ) throws {
        let way = "asked-\(first)"
        let choice = { (block: Int) -> ConflictShape.Side in
            block.isMultiple(of: 2) ? first : first == .local ? .remote : .local
        }
        _ = try shell("cp -r a \(way)", in: folder)
        let terminal = try TerminalSession(
            ["resolve", "--interactive"], in: "\(folder.path)/\(way)",
            environment: ["HOME": folder.path, "TODOSYNC_SEED": "", "NO_COLOR": "1"])
        for shape in scene.shapes {
            for block in 0..<shape.blocks {
                try terminal.expect("[q]uit, or [?] for help? ")
                terminal.type(choice(block).rawValue + "\n")
            }
        }
        #expect(try terminal.end() == 0)
        #expect(terminal.transcript.contains(Self.hint(scene.shapes)))
        try expect(scene.shapes, in: folder, way) { $0.resolved(scene.style, choice) }
    }

    // MARK: Runs

    /// Creates a folder `a` with conflicts that git has left.
    private func conflicts(of scene: Scene) throws -> ThrowAwayFolder {
        let (folder, operation) = (try ThrowAwayFolder(), scene.operation)
        let sides = [operation.local: ConflictShape.Side.local, operation.remote: .remote]
        for version in ["base", "topic", "main", "stash", "new", "later"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/versions/" + version, withIntermediateDirectories: true)
            for shape in scene.shapes {
                let side = sides[version] ?? .base
                if side == .base, shape.base == nil { continue }
                try folder.write(shape.whole(side), to: "versions/\(version)/\(shape.name).yaml")
            }
        }
        let commands =
            GitConflictTests.preparation(
                writing: #"rm -f *.yaml; cp "$HOME/versions/$1"/* . 2> /dev/null || true"#)
                + """
                git config --global merge.conflictStyle \(scene.style)
                git config --global mergetool.mine.cmd \\
                    'cat "$LOCAL" "$BASE" "$REMOTE" >> "$HOME/seen"; cp "$REMOTE" "$MERGED"'
                git config --global mergetool.mine.trustExitCode true
                \(operation.command)
                """
        _ = try shell(commands, in: folder)
        return folder
    }

    private func shell(_ commands: String, in folder: ThrowAwayFolder) throws -> Program.Result {
        let environment = TestedEnvironment(
            home: folder.path, more: ["GIT_CONFIG_GLOBAL": folder.path + "/gitconfig", "GIT_EDITOR": "true"])
        return try Program.shell(
            "unset TODOSYNC_SEED\n" + commands, in: folder.path, environment: environment)
    }

    /// Returns git's next step after conflicts are resolved.
    private static func hint(_ shapes: [ConflictShape]) -> String {
        "  (run \"git add \(shapes.map { $0.name + ".yaml" }.joined(separator: " "))\")"
    }

    private func expect(
        _ shapes: [ConflictShape], in folder: ThrowAwayFolder, _ way: String,
        _ expected: (ConflictShape) -> String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for shape in shapes {
            let text = try shape.text(in: folder, way)
            #expect(text == expected(shape), "\(way) \(shape.name)", sourceLocation: sourceLocation)
        }
    }
}
