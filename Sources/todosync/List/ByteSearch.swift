/// Returns whether a word occurs in a text.
///
/// The worst case takes time proportional to the product of both lengths, but people type short words.
func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    guard text.count >= word.count else { return false }
    return text.withUnsafeBufferPointer { text in
        (0...(text.count - word.count)).contains { start in
            text[start] == first && text[start..<(start + word.count)].elementsEqual(word)
        }
    }
}
