import SyncEngine
import Synchronization

/// A user at a terminal who answers questions, which are counted.
final class User: Sendable {
    private let answer: @Sendable (ConflictQuestion, _ number: Int) -> ConflictAnswer
    private let count = Mutex(0)

    init(_ answer: @escaping @Sendable (ConflictQuestion, _ number: Int) -> ConflictAnswer) {
        self.answer = answer
    }

    /// The number of questions that were asked.
    var questions: Int { count.withLock(\.self) }

    var policy: ConflictPolicy {
        .ask { [self] question in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return answer(question, number)
        }
    }
}
