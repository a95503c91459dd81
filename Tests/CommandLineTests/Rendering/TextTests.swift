import Testing

@testable import todosync

@Suite struct TextTests {
    @Test(arguments: [
        ("plain ä 語", "plain ä 語"),
        ("\u{1B}[2J", "\\x1b[2J"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u{9B}31m\u{7F}", "\\x9b31m\\x7f"),
        ("\u{202E}txt\u{2069}", "\\u202etxt\\u2069"),
        ("\u{0}", "\\x00"),
    ])
    func `control characters never reach the terminal`(text: String, expected: String) {
        #expect(visible(text) == expected)
    }

    @Test func `lines stay lines`() {
        #expect(visibleLines("a\r\n\tb\rc\u{7}\n") == "a\n\tb\\rc\\x07\n")
        #expect(visibleLines([0x61, 0xFF, 0x0A]) == "a\u{FFFD}\n")
    }

    @Test(arguments: [
        ("milk", 4), ("größe", 5), ("e\u{301}", 1), ("牛乳", 4), ("한글", 4), ("ｆｕｌｌ", 8), ("👍", 2), ("👨‍👩‍👧", 2),
        ("☎\u{FE0F}", 2), ("☎", 1), ("", 0),
    ])
    func `a text is as wide as a terminal shows it`(text: String, width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test func `a text is cut to its columns, never within a character`() {
        #expect(shortened("Buy milk", toWidth: 8) == "Buy milk")
        #expect(shortened("Buy milk", toWidth: 5) == "Buy …")
        #expect(shortened("牛乳を買う", toWidth: 6) == "牛乳…")
        #expect(shortened("牛乳を買う", toWidth: 6, keeping: .end) == "…買う")
        #expect(shortened("folder/a.yaml", toWidth: 7, keeping: .end) == "…a.yaml")
    }

    @Test func `what is cut in a link stays in the link`() {
        let links = FileLinks(host: "pc", root: "/home/ann")
        let (start, end) = ("\u{1B}]8;;file://pc/home/ann/a%20b.yaml\u{1B}\\", "\u{1B}]8;;\u{1B}\\")
        let style = Style(width: 14, links: links)
        #expect(style.path("a b.yaml") == "\(start)a b.yaml\(end)")
        #expect(style.typedPath("a b.yaml") == "a b.yaml")
        #expect(displayWidth(style.path("a b.yaml")) == 8)
        #expect(shortened(style.path("a b.yaml"), toWidth: 4) == "\(start)a b…\(end)")
        #expect(shortened(style.path("a b.yaml"), toWidth: 5, keeping: .end) == "\(start)…yaml\(end)")
        let table = Table(
            rows: [[.init(style.path("a b.yaml")), .init("high")], [.init("牛乳.yml"), .init("low")]])
        #expect(table.render(style) == "\(start)a b.yaml\(end)  high\n牛乳.yml  low\n")
    }

    @Test func `columns stand below each other, empty ones are left out`() {
        let table = Table(
            rows: [[.init("牛乳.yaml"), .init(""), .init("a")], [.init("b.yaml"), .init(""), .init("")]],
            indentation: 2)
        #expect(table.render(Style()) == "  牛乳.yaml  a\n  b.yaml\n")
    }

    @Test func `texts and then paths give way to the terminal`() {
        let table = Table(
            rows: [
                [
                    .init("A text that is much too long, indeed", keeping: .start),
                    .init("folder/of/a-long-name.yaml", keeping: .end), .init("high"),
                ]
            ])
        for (width, expected) in [
            (80, "A text that is much too long, indeed  folder/of/a-long-name.yaml  high"),
            (66, "A text that is much too long, i…  folder/of/a-long-name.yaml  high"),
            (55, "A text that is much to…  …der/of/a-long-name.yaml  high"),
            (40, "A text that…  …of/a-long-name.yaml  high"),
            (20, "A text …  …me.yaml  high"),
        ] {
            #expect(table.render(Style(width: width)) == expected + "\n")
        }
    }

    @Test func `lists below each other share columns, and each is cut`() {
        let long = Table.Limited(Array(1...25), Style()) { [.init("pushed"), .init("\($0).yaml")] }
        let short = Table.Limited(["a.yaml"], Style()) { [.init("would merge"), .init($0)] }
        let lines = Table.limited([long, short, long], Style()).split(separator: "\n")
        #expect(lines.count == 43)
        #expect(
            lines[19...22] == [
                "pushed       20.yaml", "… and 5 more", "would merge  a.yaml", "pushed       1.yaml",
            ])
    }

    @Test func `color adds nothing but color`() {
        let table = Table(rows: [[.init("new", .added), .init("a.yaml")]])
        #expect(table.render(Style(hasColor: true)) == "\u{1B}[32mnew\u{1B}[0m  a.yaml\n")
        #expect(table.render(Style()) == "new  a.yaml\n")
    }
}
