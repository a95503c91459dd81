import LosslessYAML
import TestSupport
import ThreeWayMerge

/// Three versions of one todo with comments anywhere.
///
/// Each side changes values, names, positions and layout.
struct CommentedStory {
    var base: Document
    var local: Document
    var remote: Document
    /// The features that the versions exercise, for counting.
    private(set) var features: Set<Feature> = []

    enum Feature: Hashable, CaseIterable {
        case flowTodo, flowChecklist, checklistWithIDs, checklistWithoutIDs
        case renamed, moved
        case reindented, unindentedItems, requoted, brokenBrackets, reordered
    }

    init(seed: UInt64) throws {
        var comments = RandomComments(seed: seed)
        switch comments.random.next() % 10 {
        case 0..<5:
            let todo = comments.random.todo()
            base = comments.commented(try Document(parsing: todo.bytes), most: 8)
            (local, remote) = (base, base)
            try change(&comments) { fields, random in
                fields = try Document(parsing: random.edited(todo).bytes).fields
            }
        case 5..<7:
            let list = comments.random.checklist()
            if list.isFlow { features.insert(.flowChecklist) }
            features.insert(list.hasIDs ? .checklistWithIDs : .checklistWithoutIDs)
            base = comments.commented(try Document(parsing: list.bytes), most: 8)
            (local, remote) = (base, base)
            var sides = ["l", "r"]
            try change(&comments) { fields, random in
                fields = try Document(parsing: random.edited(list, by: sides.removeFirst()).bytes).fields
            }
        default:
            var generator = RandomYAML(seed: seed)
            let document = try Document(parsing: generator.document())
            let hasID = document.fields["id"] != nil
            base = hasID ? document : try Document(parsing: document.inserting(id: "a"))
            base = comments.commented(base, most: 8)
            (local, remote) = (base, base)
            let id = base.fields["id"]
            try change(&comments) { fields, _ in
                fields = generator.changed(fields)
                fields["id"] = id
            }
        }
        if case .mapping(.flow, _) = base.root.shape { features.insert(.flowTodo) }
    }

    /// Edits both sides: values, names and positions of fields, comments and layout.
    private mutating func change(
        _ comments: inout RandomComments, _ edit: (inout Mapping, inout SplitMix64) throws -> Void
    ) throws {
        for side in [\CommentedStory.local, \.remote] {
            if comments.random.chance(0.9) {
                var fields = self[keyPath: side].fields
                try edit(&fields, &comments.random)
                self[keyPath: side] = try Document(parsing: base.updated(to: fields))
            }
            if comments.random.chance(0.2) {
                note(.renamed, self[keyPath: side].withRenamedField(&comments.random), side)
            }
            if comments.random.chance(0.2) {
                note(.moved, self[keyPath: side].withMovedMapping(&comments.random), side)
            }
            let revised = comments.revised(self[keyPath: side])
            let (layout, laidOut) = comments.laidOutAnew(revised)
            self[keyPath: side] = revised
            note(layout, laidOut, side)
            self[keyPath: side] = comments.commented(self[keyPath: side], most: 4)
        }
    }

    private mutating func note(
        _ feature: Feature, _ document: Document, _ side: WritableKeyPath<CommentedStory, Document>
    ) {
        if document.bytes != self[keyPath: side].bytes { features.insert(feature) }
        self[keyPath: side] = document
    }

    var swapped: CommentedStory {
        var story = self
        (story.local, story.remote) = (remote, local)
        return story
    }

    func merge() -> Merge {
        ThreeWayMerge.merge(base: base, local: local, remote: remote, rules: .todo)
    }

    /// Returns the three versions and the result, for a failure's message.
    func shown(_ result: MergedText) -> String {
        [base, local, remote].map { string($0.bytes) }.joined(separator: "\n-----\n")
            + "\n=====>\n" + result.shown
    }
}
