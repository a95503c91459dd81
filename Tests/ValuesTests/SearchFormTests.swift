import Testing
import Values

/// The form in which texts are searched.
@Suite struct SearchFormTests {
    @Test(arguments: [
        ("", ""), ("Milk", "mILK"), ("Caf\u{E9}", "CAFE\u{301}"), ("Straße", "STRASSE"), ("οδος", "ΟΔΟΣ"),
        ("\u{1E69}", "s\u{307}\u{323}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("İ", "i\u{307}"),
        ("\u{390}", "\u{399}\u{308}\u{301}"),
    ])
    func `texts that differ only in case or Unicode form have the same form`(_ left: String, _ right: String)
    {
        #expect(SearchForm(left) == SearchForm(right))
        #expect(SearchForm(left).bytes == SearchForm(right).bytes)
    }

    @Test(arguments: [("milk", "silk"), ("cafe", "caf\u{E9}"), ("a[", "a{"), ("@", "`"), ("日", "目")])
    func `other texts differ`(_ left: String, _ right: String) {
        #expect(SearchForm(left) != SearchForm(right))
    }

    @Test(arguments: [
        ("Buy milk", "milk", true), ("Buy milk", "", true), ("", "a", false), ("Buy", "Buy milk", false),
        ("Un CAFE\u{301} noir", "caf\u{E9} ", true), ("aab", "ab", true),
    ])
    func `a word is found at any position`(_ text: String, _ word: String, _ isFound: Bool) {
        #expect(SearchForm(text).contains(SearchForm(word)) == isFound)
        #expect(SearchForm(word + text).hasPrefix(SearchForm(word)))
    }
}
