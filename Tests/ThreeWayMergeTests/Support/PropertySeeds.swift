import Foundation

/// The number of seeds in the environment.
let propertySeeds = ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap { UInt64($0) }
