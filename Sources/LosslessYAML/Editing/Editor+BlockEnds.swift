/// Tracks the ends of block scalars, which include every following line that is indented far enough, even
/// blank ones.
///
/// The editor doesn't write a new block scalar, or delete lines below an existing one, if that would change
/// the scalar's value.
extension Editor {
    /// A block scalar that ends at the start of a line.
    struct BlockEnd {
        /// Whether the scalar includes all following blank lines, and not only the lines with more spaces
        /// than its indentation.
        let keepsBlankLines: Bool
        let indentation: Int
    }

    /// Returns whether a block scalar with the given indentation would include the following lines if it
    /// ended at an offset.
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

    /// Returns a writer for lines that replace or follow other lines.
    ///
    /// - Parameter indentation: The smallest indentation among the block scalars to write.
    func newWriter(behind lines: [Range<Int>], indentation: Int) -> BlockWriter {
        let canEndAnywhere = lines.allSatisfy {
            !wouldContinueBlock(at: $0.upperBound, indentation: indentation)
        }
        return BlockWriter(
            lineBreak: layout.lineBreak, step: layout.step, blockScalars: canEndAnywhere ? .clipped : .none)
    }

    /// Deletes whole lines, along with blank lines that would otherwise become part of a block scalar above.
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

    /// Returns the block scalar that ends at the start of a line, or above the blank lines before that line.
    private func blockEnd(above line: Int) -> BlockEnd? {
        var line = line
        while blockEnds[line] == nil, let previous = bytes.startOfPreviousLine(before: line) {
            guard bytes.isBlankLine(at: previous) else { return nil }
            line = previous
        }
        return blockEnds[line]
    }

    /// Collects the ends of block scalars.
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
