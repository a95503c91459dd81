import TestSupport
import Testing

/// Fields that `set` creates.
@Suite(.ownThreads) struct NewFieldTests {
    private let folder: ThrowAwayFolder

    init() throws {
        folder = try ThrowAwayFolder()
        _ = try Program.todosync("init", in: folder.path)
        try folder.write("id: t1\ntext: Buy milk\nduo: 2\n", to: "milk.yaml")
    }

    @Test(arguments: [("priorty", "priority"), ("tag", "tags"), ("Due", "due"), ("compelte", "complete")])
    func `a name that looks mistyped is set, with a warning`(name: String, nearest: String) throws {
        let result = try Program.todosync("set", "milk.yaml", "\(name)=high", in: folder.path)
        #expect(result.status == 0 && result.output == "changed  Buy milk\n")
        #expect(result.errors == "warning: \(name) is a field of your own; did you mean \(nearest)?\n")
        #expect(try folder.read("milk.yaml").contains("\(name): high"))
    }

    @Test(arguments: ["duo=3", "owner=ann", "priority=high", "estimate=5"])
    func `other names and fields that exist need none`(assignment: String) throws {
        let result = try Program.todosync("set", "milk.yaml", assignment, in: folder.path)
        #expect(result.status == 0 && result.errors == "")
    }
}
