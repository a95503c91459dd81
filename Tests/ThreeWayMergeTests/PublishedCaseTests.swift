import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// Merges with the structure of mergiraf's published YAML cases, with its published results.
@Suite struct PublishedCaseTests {
    typealias Row = TwoWayRow

    static let cases = [
        Row(
            testDescription: "adapt_indentation: a mapping wrapped in another one, and edited",
            base: "shelf:\n  row: 1\n  box: 2\n", local: "room:\n  shelf:\n    row: 1\n    box: 2\n",
            remote: "shelf:\n  row: 1\n  box: 4\n", merged: "room:\n  shelf:\n    row: 1\n    box: 4\n",
            swapped: "room:\n  shelf:\n    row: 1\n    box: 4\n"),
        Row(
            testDescription: "add_different_keys: local's first",
            base: "shelf:\n  name: \"left\"\n", local: "shelf:\n  name: \"left\"\n  row: 4\n",
            remote: "shelf:\n  name: \"left\"\n  box: 98\n",
            merged: "shelf:\n  name: \"left\"\n  row: 4\n  box: 98\n",
            swapped: "shelf:\n  name: \"left\"\n  box: 98\n  row: 4\n"),
        Row(
            testDescription: "double_quoted_strings: a list re-indented, its item edited",
            base: "l:\n  - k: \"old\"\n", local: "l:\n- k: \"old\"\n", remote: "l:\n  - k: \"NEW\"\n",
            merged: "l:\n- k: \"NEW\"\n", swapped: "l:\n- k: \"NEW\"\n"),
        Row(
            testDescription: "insert_same_keys_away_from_each_other: one conflict, in local's place",
            base: "a: 1\nb: 2\n", local: "z: 9\na: 1\nb: 2\n", remote: "a: 1\nb: 2\nz: 7\n",
            merged: "<<<<<<< local\nz: 9\n||||||| base\n=======\nz: 7\n>>>>>>> remote\na: 1\nb: 2\n",
            swapped: "a: 1\nb: 2\n<<<<<<< local\nz: 7\n||||||| base\n=======\nz: 9\n>>>>>>> remote\n"),
        Row(
            testDescription: "insert_same_keys_same_position: one conflict between the same neighbors",
            base: "a: 1\nc: 3\n", local: "a: 1\nb: 2\nc: 3\n", remote: "a: 1\nb: 4\nc: 3\n",
            merged: "a: 1\n<<<<<<< local\nb: 2\n||||||| base\n=======\nb: 4\n>>>>>>> remote\nc: 3\n",
            swapped: "a: 1\n<<<<<<< local\nb: 4\n||||||| base\n=======\nb: 2\n>>>>>>> remote\nc: 3\n"),
    ]

    @Test(arguments: cases)
    func `a merge gives the published result`(row: Row) throws { try row.check() }
}
