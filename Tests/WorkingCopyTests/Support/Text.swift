extension String {
    var bytes: [UInt8] { Array(utf8) }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
