import Testing

@testable import SyncEngine

/// The names that other tools give to copies of a file that two devices changed.
@Suite struct CopyNameTests {
    /// Names of copies of `milk.yaml` that only tools give.
    static let certain = [
        "milk.sync-conflict-20261122-101112-ABCDEFG.yaml",
        "milk.sync-conflict-20261122-101112.yaml",
        "milk_conflict-20261122-101112.yaml",
        "milk_conflict-ann-20261122-101112.yaml",
        "milk (conflicted copy 2026-11-22 101112).yaml",
        "milk (conflicted copy Ann 2026-11-22 101112).yaml",
        "milk (case clash from 2026-11-22 101112).yaml",
        "milk (Ann's conflicted copy 2026-11-22).yaml",
        "milk (Ann (work)'s conflicted copy 2026-11-22).yaml",
        "milk (ANN-PC's conflicted copy).yaml",
        "milk (Case Conflict).yaml",
        "milk (case conflict 1).yaml",
        "milk (Unicode Encoding Conflict).yaml",
        "milk (White Space Conflict).yaml",
        "milk (Copie en conflit de Ann 2026-11-22).yaml",
        "milk (Anns in Konflikt stehende Kopie 2026-11-22).yaml",
        "milk (Copia en conflicto de Ann 2026-11-22).yaml",
        "milk (SFConflict ann@example.org 2026-11-22-10-11-12).yaml",
        "milk(SFConflict ann 2026-11-22-10-11-12).yaml",
    ]

    /// Names of copies of `milk.yaml` that people also give.
    static let uncertain = [
        "milk 2.yaml", "milk 17.yaml", "milk (1).yaml", "milk (12).yaml", "milk-LAPTOP-1A2B3C.yaml",
        "milk-Anns-iPad.yaml", "milk-Ann’s MacBook Pro.yaml", "milk~HEAD.yaml", "milk~feature_x.yaml",
        "milk (en konfliktkopia).yaml", "milk (jäljennös 2026-11-22).yaml", "milk (競合).yaml",
    ]

    @Test(arguments: certain)
    func `a name that only such a tool gives`(_ name: String) {
        #expect(CopyName(name)?.originals == ["milk.yaml"])
        #expect(CopyName.isCertain(name))
        #expect(CopyName.isCopy("home/\(name)", ofFileAt: ["home/milk.yaml"]))
        #expect(
            !CopyName.isCopy("home/\(name)", ofFileAt: ["milk.yaml", "home/bread.yaml", "home/milk.yml"]))
    }

    @Test(arguments: uncertain)
    func `a name that people give as well`(_ name: String) {
        #expect(CopyName(name)?.originals.contains("milk.yaml") == true)
        #expect(!CopyName.isCertain(name))
        #expect(CopyName.isCopy(name, ofFileAt: ["x.yaml", "milk.yaml"]))
        #expect(!CopyName.isCopy(name, ofFileAt: ["x.yaml", "home/milk.yaml"]))
    }

    @Test(arguments: [
        "milk.yaml", "milk-2.yaml", "milk-soy.yaml", "milk 1.yaml", "milk 02.yaml", "milk2.yaml",
        "milk copy.yaml", "milk (soy).yaml", "milk ().yaml", "milk).yaml", "(1).yaml", " 2.yaml", "-PC.yaml",
        "~HEAD.yaml", "milk~.yaml", "milk.sync-conflict-2026-1.yaml", "milk.sync-conflict-.yaml",
        "milk.sync-conflict-20261122-101112-.yaml", ".sync-conflict-20261122-101112.yaml",
        "conflict.yaml", "milk_conflict-2026.yaml", "(conflicted copy 2026-11-22).yaml", "yaml", ".yaml", "",
        "Milk-PC/milk.yaml", "milk (1)/milk.yaml", "a.sync-conflict-20261122-101112-ABCDEFG/milk.yaml",
    ])
    func `a name that no tool gives to a copy`(_ name: String) {
        #expect(CopyName(name) == nil)
        #expect(!CopyName.isCertain(name) && !CopyName.isCopy(name, ofFileAt: ["milk.yaml"]))
    }

    @Test func `every hyphen can be the one before the device`() {
        #expect(
            CopyName("a/buy-milk-ANNS-PC.yml")?.originals == [
                "a/buy.yml", "a/buy-milk.yml", "a/buy-milk-ANNS.yml",
            ])
        #expect(CopyName("Buy-milk.yaml") == nil)
    }

    @Test(arguments: [
        "milk.sync-conflict-20261122-101112-ABCDEFG.sync-conflict-20261123-101112-ABCDEFG.yaml",
        "milk (conflicted copy 2026-11-22 101112) (conflicted copy 2026-11-23 101112).yaml",
        "milk (Ann's conflicted copy 2026-11-22) (1).yaml",
        "milk.sync-conflict-20261122-101112-ABCDEFG 2.yaml",
        "milk 2.sync-conflict-20261122-101112-ABCDEFG.yaml",
    ])
    func `a copy of a copy`(_ name: String) {
        #expect(CopyName.original(of: name) == "milk.yaml")
        #expect(CopyName.isCertain(name) && CopyName.isCopy(name, ofFileAt: ["milk.yaml"]))
    }
}
