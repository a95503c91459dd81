import Testing
import TodoModel

@Suite struct DeviceNameTests {
    @Test(arguments: [
        "phone", "Ann's phone", "Ann\u{2019}s phone", "büro-pc_2", "телефон", "手机", "📱 3", "a/b & c+d@e.f",
    ])
    func `a name that people give stays as it is`(_ name: String) {
        #expect(DeviceName.cleaned(name) == name)
    }

    @Test(arguments: [
        ("", nil), (" \t", nil), ("()<>", nil), ("\u{1B}[2J", "2J"), ("a\nb\r\nc", "a b c"),
        ("  a  b ", "a b"), ("laptop, version 1", "laptop version 1"), ("a) b (c", "a b c"),
        ("\n=======\n>>>>>>> remote\n", "remote"), ("a: b # c", "a b c"), ("a\u{202E}b\u{200B}c", "a b c"),
        ("a\u{2028}b\u{85}c", "a b c"), ("\"a\\b\"", "a b"), ("\u{3164}", nil), ("\u{E000}", nil),
    ])
    func `what could end the line or the parentheses becomes a space`(_ name: String, _ cleaned: String?) {
        #expect(DeviceName.cleaned(name) == cleaned)
    }

    @Test func `a long name is cut, also one of few characters`() {
        #expect(DeviceName.cleaned(String(repeating: "x", count: 65)) == String(repeating: "x", count: 64))
        let piled = "e" + String(repeating: "\u{301}", count: 5000)
        #expect(DeviceName.cleaned(piled)?.unicodeScalars.count == 64)
        #expect(DeviceName.cleaned(String(repeating: "x ", count: 40))?.unicodeScalars.count == 63)
    }
}
