internal import Synchronization

private let kept = Mutex<(any Sendable)?>(nil)

/// Keeps a command's result until the process exits or the next result replaces it.
///
/// The process exits sooner if it doesn't free the result's memory first: 11 ms sooner for a first push of
/// 10,000 todos.
func keepUntilExit(_ result: some Sendable) { kept.withLock { $0 = result } }
