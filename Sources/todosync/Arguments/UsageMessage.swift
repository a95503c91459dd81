/// Returns a message of the argument parser in the words and the form of todosync's errors.
///
/// Messages that this function doesn't know stay the same, but begin with a lowercase letter.
func usageMessage(_ message: String) -> String {
    if let match = message.wholeMatch(of: /Unknown option '(.+)'\. Did you mean '(.+)'\?/) {
        // The parser always suggests the nearest option, even if it isn't near.
        let (typed, suggestion) = (String(match.1), String(match.2))
        let isNear = nearestWord(to: typed.filter { $0 != "-" }, in: [suggestion.filter { $0 != "-" }]) != nil
        return "unknown option '\(typed)'" + (isNear ? "; did you mean '\(suggestion)'?" : "")
    }
    if let match = message.wholeMatch(of: /Missing expected argument '(.+?)( \.\.\.)?'/) {
        let name = match.1.prefix { $0 != " " }
        return name.hasPrefix("-") ? "the option \(name) is missing" : "the argument \(name) is missing"
    }
    if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '([^ ']+)[^']*'(.*)/) {
        let (value, name, rest) = (match.1, match.2, match.3)
        if let choices = rest.wholeMatch(of: /\. Please provide one of (.+)\./) {
            return "\(name) takes \(choices.1.filter { $0 != "'" }), not '\(value)'"
        }
        // Some reasons name the value themselves.
        return rest.hasPrefix(": '")
            ? String(rest.dropFirst(2)) : "'\(value)' is not valid for \(name)\(rest)"
    }
    return message.prefix(1).lowercased() + message.dropFirst()
}
