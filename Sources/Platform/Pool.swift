internal import Synchronization

/// Elements that are each used by one caller at a time; callers are served in order.
package final class Pool<Element: Sendable>: Sendable {
    private struct State {
        var idle: [Element]
        var waiting: [CheckedContinuation<Element, Never>] = []
    }

    package let elements: [Element]
    private let state: Mutex<State>

    package init(_ elements: [Element]) {
        self.elements = elements
        state = Mutex(State(idle: elements))
    }

    /// Runs work with an element, once one is free.
    package func use<Result>(_ work: (Element) async throws -> Result) async throws -> Result {
        let element = await freeElement()
        defer { giveBack(element) }
        try Task.checkCancellation()
        return try await work(element)
    }

    /// The number of elements that are in use, and the number of callers that wait for one.
    package var counts: (busy: Int, waiting: Int) {
        state.withLock { (elements.count - $0.idle.count, $0.waiting.count) }
    }

    private func freeElement() async -> Element {
        await withCheckedContinuation { continuation in
            let element = state.withLock { state in
                let element = state.idle.popLast()
                if element == nil { state.waiting.append(continuation) }
                return element
            }
            if let element { continuation.resume(returning: element) }
        }
    }

    private func giveBack(_ element: Element) {
        let next = state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            if next == nil { state.idle.append(element) }
            return next
        }
        next?.resume(returning: element)
    }
}
