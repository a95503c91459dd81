import Foundation
import TestSupport
import Testing

/// The examples in README.md that aren't transcripts work as shown: a table of one todo's texts, and the
/// commands for two machines.
@Suite(.ownThreads) struct ReadmeExampleTests {
    private let readme: String

    init() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../README.md")
        readme = try String(contentsOf: url, encoding: .utf8)
    }

    /// Returns the blocks in a language below a heading.
    private func blocks(_ language: String, below heading: String) throws -> [String] {
        let section = try #require(readme.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        return section.components(separatedBy: "\n## ")[0].components(separatedBy: "```\(language)\n")
            .dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    /// Returns the lines below each title of the table.
    private func texts() throws -> [[String]] {
        let table = try #require(blocks("text", below: "What it does").first)
        let lines = table.split(separator: "\n")
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

    @Test func `the edits merge as the first example shows`() throws {
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
            ```

            """
        let shown = try Transcript(page).run()
        let merged = texts[3].joined(separator: "\n")
        #expect(
            shown.contains("$ cat phone/milk.yaml\n\(merged)\n$ cat laptop/milk.yaml\n\(merged)\n"),
            "\(shown)")
    }

    @Test func `two machines sync over TLS as the recipe shows`() throws {
        let recipe = try blocks("sh", below: "Two machines").map { block in
            // Both machines are this one, and the key is typed by a pipe.
            block.replacing("todos.example.org:8443", with: "localhost:8080")
                .replacing("todos.example.org", with: "localhost")
                .replacing("0.0.0.0:8443", with: "127.0.0.1:8080")
                .split(separator: "\n")
        }
        try #require(recipe.map(\.count).prefix(3) == [4, 2, 2])
        let (server, laptop) = (recipe[0], recipe[1] + recipe[2])
        try #require(server[2].contains("serve key add") && laptop[0].hasSuffix("update-ca-certificates"))
        // Only root can make the whole machine trust the certificate.
        let trusting = "SSL_CERT_FILE=$HOME/cert.pem"
        let page = """
            ```console
            $ \(server[0]) 2> openssl.log
            $ \(server[1])
            $ \(server[2]) | tail -n 1 > key
            $ \(server[3]) > address 2> log & echo $! > server.pid
            $ until grep -s listening address; do sleep 0.1; done
            $ \(trusting) \(laptop[1]) < key
            $ \(trusting) \(laptop[2])
            $ export \(trusting); \(laptop[3])
            ```

            """
        let shown = try Transcript(page).run()
        #expect(shown.contains("listening on https://127.0.0.1:8080\n"), "\(shown)")
        #expect(shown.contains("the key for https://localhost:8080 is saved in "), "\(shown)")
        #expect(shown.contains("cloned 0 todos into ") && shown.contains("1 pushed"), "\(shown)")
        #expect(!shown.contains("[exit status"), "\(shown)")
    }
}
