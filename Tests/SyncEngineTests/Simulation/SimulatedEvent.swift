/// What can happen in a simulated history; each kind must happen often enough.
enum SimulatedEvent: String, CaseIterable, Sendable {
    // What people do to files.
    case editByOverwriting, editByRename, create, delete, rename, copy, invalidate, solveByHand
    case editWhileBusy, pauseWhileBusy
    case editAfterCrash, revertAfterCrash, recreateAfterCrash, deleteAfterCrash, syncAfterCrash
    // What they do with todosync.
    case push, pull, sync, syncMeanwhile, set, add, track, remove, resolve, abort, undo, restore, gc, fsck,
        purge,
        undoPurge
    // What goes wrong.
    case crash, powerFailureWithLateData, powerFailureWithLateNames, powerFailureWithLateFolders, failedCall,
        diskFull, clockJump, remoteTrouble
    case lostState, lostRecords, cutState, damagedState, olderState
    // What results from it.
    case conflict, merge
    // What a dry run foresaw, and what the command then reported.
    case forecast
}

/// How often each kind of event happened.
struct SimulatedEvents: Sendable {
    private(set) var counts: [SimulatedEvent: Int] = [:]

    mutating func note(_ event: SimulatedEvent?, _ count: Int = 1) {
        if let event, count > 0 { counts[event, default: 0] += count }
    }

    mutating func add(_ other: SimulatedEvents) { counts.merge(other.counts, uniquingKeysWith: +) }
}
