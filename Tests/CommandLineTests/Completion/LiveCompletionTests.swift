import TestSupport
import Testing

/// What todosync offers for the word at the cursor.
@Suite(.ownThreads) struct LiveCompletionTests {
    private let folder: ThrowAwayFolder
    private let phone: String

    /// A store with the tables `todoitem` and `other`, and a phone with three todos and a saved filter.
    init() throws {
        folder = try ThrowAwayFolder()
        phone = folder.path + "/phone"
        for command in [
            ["init", "--quiet", "--bare", "store"], ["serve", "table", "add", "other", "--store", "store"],
            ["clone", "--quiet", "store", "phone"],
        ] {
            _ = try run(command, in: folder.path)
        }
        try folder.write("id: 7c1e\ntext: Buy milk\ntags: [shop, home]\n", to: "phone/milk.yaml")
        try folder.write("id: 7d2f\ntext: Call Ann\ncomplete: true\nproject: house\n", to: "phone/ann.yaml")
        try folder.write(
            "id: list\ntext: Pack\nchecklist: [socks, {text: tent, done: true}]\n", to: "phone/pack.yaml")
        _ = try run(["push"], in: phone)
        try folder.write(
            try folder.read("phone/.todosync/config.yaml") + "filters:\n  urgent: priority:high\n",
            to: "phone/.todosync/config.yaml")
    }

    private func run(_ words: [String], in path: String) throws -> String {
        let result = try Program.todosync(words, in: path, environment: ["TODOSYNC_SEED": ""])
        try #require(result.status == 0 && result.errors == "", "\(words): \(result.errors)")
        return result.output
    }

    /// Returns the kind of the words and the words, as fish gets them.
    private func answer(_ line: String, in path: String? = nil) throws -> [String] {
        let output = try run(["---complete", "fish", line], in: path ?? phone)
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func words(_ line: String, in path: String? = nil) throws -> [String] {
        try answer(line, in: path).dropFirst().map { String($0.prefix { $0 != "\t" }) }
    }

    // MARK: Todos

    @Test func `todos are offered by handle, with their texts`() throws {
        #expect(try answer("todosync show 7") == ["words", "7d\tCall Ann", "7c\tBuy milk"])
        #expect(try words("todosync show 7d 7").isEmpty)
    }

    @Test(arguments: [
        ("todosync edit ", ["7d", "7c", "li"]), ("todosync edit mi", ["milk.yaml"]),
        ("todosync edit 7c1", ["7c1e"]), ("todosync skip ", ["7c", "li"]), ("todosync purge ", ["7d"]),
        ("todosync complete 7", ["7c"]), ("todosync -C .. edit ", []),
        ("todosync -C ../phone edit mi", ["milk.yaml"]),
        ("todosync push 7c 7", ["7d"]), ("todosync edit -- mi", ["milk.yaml"]),
    ])
    func `a command gets the todos that it concerns`(_ line: String, _ expected: [String]) throws {
        #expect(try words(line) == expected)
    }

    @Test func `an edit in an editor shows`() throws {
        try folder.write("id: 7c1e\ntext: Buy oat milk\ntags: [errand]\n", to: "phone/milk.yaml")
        #expect(try answer("todosync edit 7c") == ["words", "7c\tBuy oat milk"])
        #expect(try words("todosync list tag:") == ["tag:errand", "tag:none"])
    }

    @Test func `files are offered while no todo is recorded`() throws {
        try folder.write("text: new\n", to: "new.yaml")
        _ = try run(["init", "--quiet"], in: folder.path)
        #expect(try answer("todosync edit ", in: folder.path) == ["files"])
    }

    @Test func `open conflicts are offered to what is about conflicts`() throws {
        #expect(try words("todosync resolve ").isEmpty)
        _ = try run(["clone", "--quiet", "store", "laptop"], in: folder.path)
        _ = try run(["set", "7c", "text=Buy oat milk"], in: folder.path + "/laptop")
        _ = try run(["push"], in: folder.path + "/laptop")
        _ = try run(["set", "7c", "text=Buy almond milk"], in: phone)
        #expect(try Program.todosync("pull", in: phone).status == 1)
        for command in ["resolve", "conflicts"] {
            #expect(try answer("todosync \(command) ") == ["words", "7c\tBuy almond milk"])
        }
        #expect(try words("todosync resolve 7c --field ") == ["text"])
        #expect(try words("todosync resolve 7c ").isEmpty)
    }

    @Test func `of many todos, the beginnings of their ids are offered`() throws {
        for number in 0..<1100 {
            try folder.write(
                "id: \(number % 2 == 0 ? "a" : "b")\(number)\ntext: x\n", to: "phone/n\(number).yaml")
        }
        _ = try run(["push"], in: phone)
        #expect(
            try answer("todosync edit ") == [
                "words", "7\t2 todos", "a\t550 todos", "b\t550 todos", "l\t1 todo",
            ])
        #expect(try answer("todosync edit a998") == ["words", "a998\tx"])
    }

    // MARK: Everything else

    @Test(arguments: [
        ("todosync li", ["list"]), ("todosync remote ad", ["add"]), ("todosync help reo", ["reopen"]),
        ("todosync help serve k", ["key"]), ("todosync serve key re", ["revoke"]),
        ("todosync list --so", ["--sort"]), ("todosync list --sort t", ["text"]),
        ("todosync list --sort=t", ["--sort=text"]), ("todosync --color al", ["always"]),
        ("todosync list --all --al", []), ("todosync list --tag s", ["shop"]),
        ("todosync list tag:", ["tag:home", "tag:shop", "tag:none"]),
        ("todosync list not:is:d", ["not:is:done"]),
        ("todosync list -is:o", ["-is:open", "-is:overdue"]),
        ("todosync list due<=to", ["due<=today", "due<=tomorrow"]),
        ("todosync list @", ["@urgent"]), ("todosync list over", ["overdue"]),
        ("todosync done tag:h", ["tag:home"]), ("todosync set 7c pri", ["priority="]),
        ("todosync set 7c priority=", ["priority=high", "priority=medium", "priority=low"]),
        ("todosync set 7c tag", ["tags=", "tags+=", "tags-="]),
        ("todosync set 7c tags+=home,s", ["tags+=home,shop"]),
        ("todosync unset 7c pro", ["project"]), ("todosync add x --field pro", ["project="]),
        ("todosync tick li ", ["1", "2"]), ("todosync push --on-conflict l", ["local"]),
        ("todosync clone ../store#o", ["../store#other"]),
        ("todosync serve key add k --store ../store --table ", ["other", "todoitem"]),
    ])
    func `values are offered where they can be typed`(_ line: String, _ expected: [String]) throws {
        #expect(try words(line) == expected)
    }

    @Test func `operations are offered with their age and command, the newest first`() throws {
        _ = try run(["done", "7c"], in: phone)
        let lines = try answer("todosync undo ").dropFirst()
        let commands = lines.map { $0.split(separator: "\t").last ?? "" }
        #expect(commands == ["just now  todosync done 7c", "just now  todosync push"])
        let log = try run(["log", "--oneline"], in: phone)
        #expect(lines.map { $0.prefix(8) } == log.split(separator: "\n").map { $0.prefix(8) })
        #expect(try words("todosync restore 7c --to ").count == 2)
        #expect(try words("todosync undo @") == ["@1", "@2"])
        #expect(try answer("todosync undo @").dropFirst().last?.hasSuffix("todosync push") == true)
    }

    @Test(arguments: [[], ["tcsh", "todosync "], ["fish"]])
    func `a question that can't be understood gets an empty answer`(_ words: [String]) throws {
        #expect(try run(["---complete"] + words, in: phone) == "")
    }
}
