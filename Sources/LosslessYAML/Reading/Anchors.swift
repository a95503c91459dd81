/// What the anchors read so far stand for.
struct Anchors {
    /// The node of an anchor, and what its expansion costs.
    struct Target {
        let value: Value
        /// How many levels of collections it has.
        let height: Int
        let nodes: Int
        let bytes: Int
    }

    private var numbers: [ByteKey: Int] = [:]
    private var targets: [Target?] = []

    /// Gives a name to the node that begins here, and returns the anchor's number.
    mutating func open(_ name: String) -> Int {
        numbers[ByteKey(name)] = targets.count
        targets.append(nil)
        return targets.count - 1
    }

    mutating func close(_ number: Int, _ target: Target) {
        targets[number] = target
    }

    /// Returns an alias's anchor; its target is nil while its own node is still being read.
    func find(_ name: String) -> (number: Int, target: Target?)? {
        numbers[ByteKey(name)].map { ($0, targets[$0]) }
    }
}
