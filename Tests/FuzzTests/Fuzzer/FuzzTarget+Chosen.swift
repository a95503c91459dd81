import Platform

extension FuzzTarget {
    /// The target that the environment selects.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            preconditionFailure("FUZZ_TARGET must be one of \(allCases.map(\.rawValue))")
        }
        return target
    }()
}
