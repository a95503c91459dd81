import Foundation

/// The number of seeds that the environment asks for.
let propertySeeds = ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap { UInt64($0) }
