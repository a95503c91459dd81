package import ThreeWayMerge

extension MergeRule {
    package var words: String {
        switch self {
        case .changedLocally: "only the local side changed it"
        case .changedRemotely: "only the remote changed it"
        case .changedAlike: "both sides made the same change"
        case .mapping: "merged key by key"
        case .set: "merged as a set: each side's additions and removals were applied"
        case .sequence:
            "merged as a sequence, because a value repeats: edits apart from each other were applied"
        case .elements: "merged element by element"
        case .lines: "merged line by line"
        case .local: "merge.fields chose the local value"
        case .remote: "merge.fields chose the remote value"
        case .union: "merge.fields chose the elements of both sides"
        case .max: "merge.fields chose the greater value"
        case .min: "merge.fields chose the lesser value"
        case .conflict: "both sides changed it, and no rule can choose"
        }
    }
}
