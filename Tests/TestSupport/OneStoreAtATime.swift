package import Testing

extension Trait where Self == ParallelizationTrait {
    /// For suites whose tests open stores: all at once, they would hold more files open than a process may
    /// have, and than Foundation starts a program with (swift-corelibs-foundation#5472).
    package static var oneStoreAtATime: Self { .serialized }
}
