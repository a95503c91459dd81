/// The anchors read so far, with their targets.
struct Anchors {
    /// An anchor's node, with the cost of expanding it.
    struct Target {
        let value: Value
        /// The number of nested collections in the value.
        let height: Int
        let nodes: Int
        let bytes: Int
    }

    private var numbers: [ByteKey: Int] = [:]
    private var targets: [Target?] = []

    /// Assigns a name to the node that begins now, and returns the anchor's number.
    mutating func open(_ name: String) -> Int {
        numbers[ByteKey(name)] = targets.count
        targets.append(nil)
        return targets.count - 1
    }

    mutating func close(_ number: Int, _ target: Target) {
        targets[number] = target
    }

    /// Returns the anchor that an alias refers to.
    ///
    /// Its target is nil until the anchor's node has been read.
    func find(_ name: String) -> (number: Int, target: Target?)? {
        numbers[ByteKey(name)].map { ($0, targets[$0]) }
    }
}
