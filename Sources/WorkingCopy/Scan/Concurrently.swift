import Platform
internal import Synchronization

/// Runs two functions at the same time, the second one on a new thread, and returns their results.
///
/// If no thread can be started, the functions run one after the other. Swift's own tasks would start their
/// threads after most commands have ended.
func concurrently<First, Second: Sendable>(
    _ first: () -> First, _ second: @escaping @Sendable () -> Second
) -> (First, Second) {
    let outcome = Outcome<Second>()
    let work = { @Sendable in outcome.value.withLock { $0 = second() } }
    let thread = try? StartedThread(work)
    let result = first()
    if let thread { thread.join() } else { work() }
    guard let other = outcome.value.withLock(\.self) else { preconditionFailure("the thread has ended") }
    return (result, other)
}

/// Runs two functions at the same time if that is worth a thread; otherwise one after the other.
func concurrently<First, Second: Sendable>(
    where isWorthAThread: Bool, _ first: () -> First, _ second: @escaping @Sendable () -> Second
) -> (First, Second) {
    isWorthAThread ? concurrently(first, second) : (first(), second())
}

/// Returns the results of a function for each element, in order, and shares the work between two threads if
/// there are many elements.
///
/// - Parameter minimum: The number of elements that is worth a thread; starting one takes as long as
///   transforming a few simple elements.
package func mapConcurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element], atLeast minimum: Int = 32, _ transform: @escaping @Sendable (Element) -> Result
) -> [Result] {
    guard elements.count >= minimum else { return elements.map(transform) }
    let middle = elements.count / 2
    let (first, second) = concurrently(
        { elements[..<middle].map(transform) }, { elements[middle...].map(transform) })
    return first + second
}

/// Returns the results of a function for each element, in order, and uses two threads only if that is
/// worthwhile.
func mapConcurrently<Element: Sendable, Result: Sendable>(
    where isWorthAThread: Bool, _ elements: [Element],
    _ transform: @escaping @Sendable (Element) -> Result
) -> [Result] {
    isWorthAThread ? mapConcurrently(elements, transform) : elements.map(transform)
}

private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
