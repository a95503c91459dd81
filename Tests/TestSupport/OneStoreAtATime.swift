package import Testing

extension Trait where Self == ParallelizationTrait {
    /// For suites whose tests open stores.
    ///
    /// If all of them ran at once, they would open more files than a process can have, and than Foundation
    /// supports when it starts a program (swift-corelibs-foundation#5472).
    package static var oneStoreAtATime: Self { .serialized }
}
