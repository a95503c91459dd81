/// Block scalars: each includes every line below it that is indented far enough for its content, even blank
/// ones.
///
/// So new block scalars are not written, and lines below old ones not deleted, if that would change a value.
extension Editor {
    /// A block scalar that ends where a line begins.
    struct BlockEnd {
        /// Whether it includes all blank lines below, or only those with more spaces than its indentation.
        let keepsBlankLines: Bool
        let indentation: Int
    }

    /// Returns whether a block scalar of this indentation that ended at `position` would include more lines.
    func wouldContinueBlock(at position: Int, indentation: Int) -> Bool {
        var line = position
        while line < bytes.count {
            let first = bytes.skipBlanks(from: line)
            if first == bytes.count || bytes[first].isLineBreak {
                if first - line > indentation { return true }
                line = bytes.skipLineBreak(at: first)
            } else {
                return bytes[first] == .hash && first - line >= indentation
            }
        }
        return false
    }

    /// Returns a writer of lines that replace other lines or follow one of them.
    ///
    /// `indentation` is the smallest one among the block scalars that it will write.
    func newWriter(behind lines: [Range<Int>], indentation: Int) -> BlockWriter {
        let canEndAnywhere = lines.allSatisfy {
            !wouldContinueBlock(at: $0.upperBound, indentation: indentation)
        }
        return BlockWriter(
            lineBreak: layout.lineBreak, step: layout.step, blockScalars: canEndAnywhere ? .clipped : .none)
    }

    /// Deletes whole lines, and with them the blank lines that would become part of a block scalar above.
    mutating func delete(_ lines: Range<Int>) {
        var end = lines.upperBound
        if let above = blockEnd(above: lines.lowerBound) {
            while end < bytes.count, bytes.isBlankLine(at: end) {
                let next = bytes.startOfNextLine(from: end)
                guard above.keepsBlankLines || bytes.skipBlanks(from: end) - end > above.indentation else {
                    break
                }
                end = next
            }
            blockEnds[end] = above
        }
        splices.delete(lines.lowerBound..<end)
    }

    /// Returns the block scalar that ends at the line, or at the blank lines above it.
    private func blockEnd(above line: Int) -> BlockEnd? {
        var line = line
        while blockEnds[line] == nil, let previous = bytes.startOfPreviousLine(before: line) {
            guard bytes.isBlankLine(at: previous) else { return nil }
            line = previous
        }
        return blockEnds[line]
    }

    /// Collects where block scalars end.
    static func blockEnds(
        of node: Node, parentIndentation: Int, _ bytes: UnsafeBufferPointer<UInt8>,
        into ends: inout [Int: BlockEnd]
    ) {
        switch node.shape {
        case .scalar(.literal), .scalar(.folded):
            let header = BlockScalarHeader(bytes, nodeStart: node.range.lowerBound)
            let indentation = header.contentIndentation(
                bytes, to: node.range.upperBound, parentIndentation: parentIndentation)
            ends[node.range.upperBound] = BlockEnd(
                keepsBlankLines: header.chomping == .keep, indentation: indentation ?? parentIndentation)
        case .scalar, .alias, .sequence(.flow, _), .mapping(.flow, _): break
        case .sequence(.block, let items):
            for item in items {
                blockEnds(of: item.value, parentIndentation: item.indentation, bytes, into: &ends)
            }
        case .mapping(.block, let entries):
            for entry in entries {
                blockEnds(of: entry.value, parentIndentation: entry.indentation, bytes, into: &ends)
            }
        }
    }
}
