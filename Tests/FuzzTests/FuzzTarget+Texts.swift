import TestSupport
import TodoModel
import WorkingCopy

@testable import LosslessYAML
@testable import SyncEngine
@testable import ThreeWayMerge

extension FuzzTarget {
    /// Checks that a readable text can be edited to have any values, and that an error has a position.
    static func checkYAML(_ bytes: [UInt8]) throws {
        try checkSimpleReader(bytes)
        let document: Document
        do throws(YAMLError) {
            document = try Document(parsing: bytes)
        } catch {
            try require(error.line > 0 && error.column > 0, "no place: \(error)")
            _ = LineScan.id(in: bytes)
            return
        }
        let fields = document.fields
        try require(document.bytes == bytes, "the text has changed")
        try require(document.updated(to: fields) == bytes, "an update without changes changes the text")
        var random = RandomYAML(seed: seed(of: bytes))
        for target in [random.changed(fields), random.mapping(), fields.without(first: 1)] {
            let edited = document.updated(to: target)
            let read = (try? Document(parsing: edited))?.fields
            try require(read == target, "edited to \(target), it reads \(text(edited))")
        }
        try require(
            (try? Document(parsing: emit(fields)))?.fields == fields, "emitted: \(text(emit(fields)))")
        if fields["id"] == nil {
            let inserted = (try? Document(parsing: document.inserting(id: "a")))?.fields
            try require(
                inserted == Mapping([(key: "id", value: .string("a"))] + fields.entries),
                "inserting an id changed the fields")
        }
        _ = try? Todo(document)
    }

    /// Checks that a text that is read without libyaml is read the same with it.
    private static func checkSimpleReader(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            guard let scan = try? TextScan(buffer), let node = SimpleReader.read(buffer, scan) else { return }
            var builder = TreeBuilder(buffer, scan)
            let whole = try? builder.buildDocument()
            try require("\(node)" == whole.map { "\($0)" }, "it reads \(node)")
        }
    }

    /// Checks that each side of a merge has its values, and that changes of one side are taken from that
    /// side.
    static func checkMerge(_ bytes: [UInt8]) throws {
        guard let todos = todos(in: bytes) else { return }
        let texts = texts(in: bytes)
        let remote = RemoteTodo(version: Version("2"), path: nil, bytes: texts[2])
        let base = RemoteTodo(version: Version("1"), path: nil, bytes: texts[0])
        for hasBase in [true, false] {
            let merged = ThreeWayMerge.merge(
                base: hasBase ? todos[0].document : nil, local: todos[1].document, remote: todos[2].document,
                rules: .todo)
            try check(merged, of: todos, hasBase: hasBase)
            _ = reconcile(base: hasBase ? .todo(base) : nil, local: todos[1], remote: .todo(remote))
        }
        _ = reconcile(base: .todo(base), local: todos[1], remote: .deleted(Version("2")))
        _ = reconcile(base: .todo(base), local: nil, remote: .todo(remote))
    }

    private static func check(_ merged: Merge, of todos: [Todo], hasBase: Bool) throws {
        let rules = FieldRules.todo
        let texts = AlignedTexts(
            base: hasBase ? todos[0].document : nil, local: todos[1].document, remote: todos[2].document,
            rules: rules)
        let fields = FieldMerge(texts, rules: rules).fields
        switch merged.outcome {
        case .clean(let bytes):
            try require(!fields.hasConflict, "a conflict is missing")
            let read = (try? Document(parsing: bytes))?.fields
            try require(read == fields.taking(.local), "merged to \(text(bytes))")
        case .conflicted(let conflicted):
            try require(fields.hasConflict, "a conflict without a difference")
            for side in [Side.local, .remote] {
                let taken = try require(conflicted.taking(side), "a side is missing")
                let read = (try? Document(parsing: taken))?.fields
                try require(read == fields.taking(side), "\(side) became \(text(taken))")
            }
            for style in ConflictStyle.allCases {
                try require(
                    (try? ConflictedText.read(conflicted.text(style: style)))?.taking(.remote)
                        == conflicted.taking(.remote), "markers of \(style)")
            }
        case .unwritable(let obstacle):
            let texts = [Side.local, .remote].map { emit(fields.taking($0)) }
            try require(!texts.allSatisfy(isYAML), "no merge, because it would be \(obstacle.problem)")
        }
    }

    static func isYAML(_ bytes: [UInt8]) -> Bool { (try? Document(parsing: bytes)) != nil }

    static func hasMarkers(_ bytes: [UInt8]) -> Bool { (try? ConflictedText.read(bytes)) ?? nil != nil }

    /// Returns base, local and remote; nil unless the texts are three todos with the same id.
    static func todos(in bytes: [UInt8]) -> [Todo]? {
        let texts = texts(in: bytes)
        let todos = texts.compactMap { try? Todo(parsing: $0) }
        guard texts.count == 3, todos.count == 3, let id = todos[0].id, todos.allSatisfy({ $0.id == id })
        else { return nil }
        return todos
    }

    private static func texts(in bytes: [UInt8]) -> [[UInt8]] {
        lineRanges(bytes).reduce(into: [[]]) { texts, range in
            if bytes[range].elementsEqual("@@@\n".utf8) {
                texts.append([])
            } else {
                texts[texts.count - 1] += bytes[range]
            }
        }
    }

    /// Checks that parsed conflict markers can be written, and are parsed the same again.
    static func checkMarkers(_ bytes: [UInt8]) throws {
        guard let read = try? ConflictedText.read(bytes) else {
            _ = LineScan.id(in: bytes)
            return
        }
        let written = read.text(style: .diff3)
        let again = try require(try? ConflictedText.read(written), "written: \(text(written))")
        for side in [Side.local, .remote] {
            try require(again.taking(side) == read.taking(side), "\(side) changed: \(text(written))")
        }
        // Blank lines at the end of the base can be lost.
        try require(
            again.taking(.base)?.withoutLastLines == read.taking(.base)?.withoutLastLines,
            "the base changed: \(text(written))")
        for style in [ConflictStyle.merge, .zdiff3] {
            let written = read.text(style: style)
            // If the sides are equal, zdiff3 leaves nothing between the markers.
            let again = try require(try? ConflictedText.read(written), "written: \(text(written))")
            for side in [Side.local, .remote] {
                try require(again.taking(side) == read.taking(side), "\(side) changed: \(text(written))")
            }
        }
        try require(ConflictedText.firstMarkerLine(in: bytes) != nil, "the markers are not found")
        _ = LineScan.id(outsideBlocksOf: read)
        for side in [Side.local, .remote] {
            if let taken = read.taking(side) { _ = try? Todo(parsing: taken) }
        }
    }
}

extension Mapping {
    fileprivate func without(first count: Int) -> Mapping { Mapping(entries.dropFirst(count)) }
}

extension [UInt8] {
    fileprivate var withoutLastLines: [UInt8] {
        var bytes = self
        while let last = bytes.last, last == LineEnding.lf || last == LineEnding.cr { bytes.removeLast() }
        return bytes
    }
}
