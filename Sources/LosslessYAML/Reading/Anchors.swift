/// The anchors that were read so far, with their targets.
struct Anchors {
    /// The node of an anchor, and the cost of its expansion.
    struct Target {
        let value: Value
        /// The number of levels of collections in it.
        let height: Int
        let nodes: Int
        let bytes: Int
    }

    private var numbers: [ByteKey: Int] = [:]
    private var targets: [Target?] = []

    /// Assigns a name to the node that begins here, and returns the anchor's number.
    mutating func open(_ name: String) -> Int {
        numbers[ByteKey(name)] = targets.count
        targets.append(nil)
        return targets.count - 1
    }

    mutating func close(_ number: Int, _ target: Target) {
        targets[number] = target
    }

    /// Returns an alias's anchor; its target is nil while the anchor's own node is still being read.
    func find(_ name: String) -> (number: Int, target: Target?)? {
        numbers[ByteKey(name)].map { ($0, targets[$0]) }
    }
}
