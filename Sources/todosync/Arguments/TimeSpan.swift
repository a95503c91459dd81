/// A time span as the user types it: `90d` or `12w`.
struct TimeSpan {
    let seconds: Int

    init?(argument: String) {
        let lengths: [Character: Int] = ["d": 86_400, "w": 7 * 86_400]
        guard let unit = argument.last, let length = lengths[unit], let count = Int(argument.dropLast()),
            // "+1d" is a date in the future.
            argument.first != "+",
            // A thousand years are enough for everyone, and the sum of two such spans can't overflow.
            (0...365_000).contains(count)
        else { return nil }
        seconds = count * length
    }
}
