import Foundation
import TestSupport
import Testing

/// The example at the top of README.md works as shown: a table of one todo's texts, and a conflict.
@Suite(.ownThreads) struct ReadmeExampleTests {
    private let blocks: [String]

    init() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../README.md")
        let readme = try String(contentsOf: url, encoding: .utf8)
        blocks = readme.matches(of: /(?s)```text\n(.*?)```/).map { String($0.output.1) }
        try #require(blocks.count >= 2)
    }

    /// Returns the lines below each title of the table.
    private func texts() throws -> [[String]] {
        let lines = blocks[0].split(separator: "\n")
        let titles = ["before", "phone", "laptop", "both, "]
        let starts = try titles.map { title in
            let found = try #require(lines[0].range(of: title))
            return lines[0].distance(from: lines[0].startIndex, to: found.lowerBound)
        }
        return zip(starts, starts.dropFirst() + [Int.max]).map { start, end in
            lines.dropFirst().map { line in
                line.prefix(end).dropFirst(start).trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test func `the edits merge, and the conflict is resolved, as the first example shows`() throws {
        let texts = try texts()
        func write(_ text: [String], _ device: String) -> String {
            "$ cat > \(device)/milk.yaml <<END\n" + text.map { "> \($0)\n" }.joined() + "> END"
        }
        func on(_ device: String, _ command: String) -> String {
            """
            $ echo 'device: {name: \(device)}' > .config/todosync/config.yaml
            $ todosync -C \(device) \(command)
            """
        }
        let page = """
            ```console
            $ todosync init --bare store
            $ todosync clone store phone
            \(write(texts[0], "phone"))
            \(on("phone", "push"))
            $ todosync clone store laptop
            \(write(texts[1], "phone"))
            \(write(texts[2], "laptop"))
            \(on("laptop", "sync"))
            \(on("phone", "sync"))
            \(on("laptop", "sync"))
            $ cat phone/milk.yaml
            $ cat laptop/milk.yaml
            \(on("phone", "set milk.yaml 'text=Buy oat milk'"))
            \(on("phone", "push"))
            \(on("laptop", "set milk.yaml 'text=Buy almond milk'"))
            $ cd laptop
            \(blocks[1])```

            """
        let shown = try Transcript(page).run()
        let merged = texts[3].joined(separator: "\n")
        #expect(
            shown.contains("$ cat phone/milk.yaml\n\(merged)\n$ cat laptop/milk.yaml\n\(merged)\n"),
            "\(shown)")
        // The version depends on the earlier commands, and only a transcript shows exit statuses.
        let version = /version [^)]+/
        let conflict = shown.replacing(version, with: "version").replacing("[exit status: 1]\n", with: "")
        #expect(conflict.contains(blocks[1].replacing(version, with: "version")), "\(shown)")
    }
}
