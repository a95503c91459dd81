extension ConflictedText {
    /// The text with two blocks joined, along with everything between them, if one block has an anchor that
    /// the other block uses.
    ///
    /// Without this, taking different sides of two blocks could leave an alias without its anchor.
    var joiningDependentBlocks: ConflictedText {
        let ends = lastDependents
        var joined: [Piece] = []
        var start = 0
        while start < pieces.count {
            var end = ends[start]
            var index = start
            while index < end {
                index += 1
                end = max(end, ends[index])
            }
            joined.append(end > start ? .block(Block(joining: pieces[start...end])) : pieces[start])
            start = end + 1
        }
        return ConflictedText(pieces: joined)
    }

    /// For each piece, the index of the last piece that uses one of its anchors, or the piece's own index.
    private var lastDependents: [Int] {
        let names = pieces.map(AnchorNames.init)
        var lastUse: [ArraySlice<UInt8>: Int] = [:]
        var lastUseInBlock: [ArraySlice<UInt8>: Int] = [:]
        for (index, piece) in pieces.enumerated() {
            for name in names[index].aliases {
                lastUse[name] = index
                if case .block = piece { lastUseInBlock[name] = index }
            }
        }
        return pieces.indices.map { index in
            let uses = names[index].anchors.compactMap { name in
                // Text after a block can use an anchor that all sides of the block have.
                names[index].unsure.contains(name) ? lastUse[name] : lastUseInBlock[name]
            }
            return max(index, uses.max() ?? index)
        }
    }
}

extension ConflictedText.Block {
    fileprivate init(joining pieces: ArraySlice<ConflictedText.Piece>) {
        self.init(local: [], base: [], remote: [])
        for piece in pieces {
            switch piece {
            case .text(let lines):
                local += lines
                base?.append(contentsOf: lines)
                remote += lines
            case .block(let block):
                local += block.local
                if let lines = block.base { base?.append(contentsOf: lines) } else { base = nil }
                remote += block.remote
            }
        }
    }
}

/// The names of the anchors and aliases in a piece, including any text that looks like them.
private struct AnchorNames {
    var anchors: Set<ArraySlice<UInt8>> = []
    /// The anchors that only some sides of a block have.
    var unsure: Set<ArraySlice<UInt8>> = []
    var aliases: Set<ArraySlice<UInt8>> = []

    init(_ piece: ConflictedText.Piece) {
        switch piece {
        case .text(let lines):
            aliases = Self.names(behind: UInt8(ascii: "*"), in: lines)
        case .block(let block):
            let sides = [block.local, block.remote] + (block.base.map { [$0] } ?? [])
            let anchorsOfSides = sides.map { Self.names(behind: UInt8(ascii: "&"), in: $0) }
            anchors = anchorsOfSides.reduce([]) { $0.union($1) }
            unsure = anchors.subtracting(anchorsOfSides.reduce(anchors) { $0.intersection($1) })
            aliases = sides.reduce([]) { $0.union(Self.names(behind: UInt8(ascii: "*"), in: $1)) }
        }
    }

    private static func names(behind sign: UInt8, in lines: [UInt8]) -> Set<ArraySlice<UInt8>> {
        var names: Set<ArraySlice<UInt8>> = []
        var rest = lines[...]
        while let start = rest.firstIndex(of: sign) {
            let isFirst = start == lines.startIndex || endsName(lines[start - 1])
            let name = lines[(start + 1)...].prefix { !endsName($0) }
            if isFirst, !name.isEmpty { names.insert(name) }
            rest = lines[(start + 1)...]
        }
        return names
    }

    /// Returns whether a byte can't be part of a name: a blank, a line break or a flow indicator.
    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || ",[]{}".utf8.contains(byte)
    }
}
