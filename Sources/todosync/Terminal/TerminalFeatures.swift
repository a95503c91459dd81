/// The features of the user's terminal, according to the environment.
struct TerminalFeatures {
    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns whether output is colored.
    ///
    /// The first setting decides: `--color`, NO_COLOR (<https://no-color.org>), CLICOLOR_FORCE
    /// (<https://bixense.com/clicolors>), or the terminal itself.
    func showsColor(_ choice: ColorChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if value("NO_COLOR") != nil { return false }
        if let forced = value("CLICOLOR_FORCE") { return forced != "0" || isColorTerminal }
        return isColorTerminal
    }

    private var isColorTerminal: Bool { process.standardOutput.isTerminal && value("TERM") != "dumb" }

    /// Whether paths can be links, which requires a terminal with known support.
    ///
    /// Other terminals print a part of the link. Messages also contain paths, so errors have to go to the
    /// terminal as well. Inside tmux and screen, the outer terminal is unknown.
    var showsLinks: Bool {
        guard process.standardOutput.isTerminal, process.standardError.isTerminal, !isMultiplexed,
            passesPager
        else { return false }
        if Self.terminals.contains(value("TERM") ?? "") { return true }
        if Self.programs.contains(value("TERM_PROGRAM") ?? "") { return true }
        if let version = value("VTE_VERSION").flatMap({ Int($0) }) { return version >= Self.firstVTE }
        return value("KONSOLE_VERSION").flatMap { Int($0) }.map { $0 >= Self.firstKonsole } ?? false
    }

    private var isMultiplexed: Bool {
        let terminal = value("TERM") ?? "dumb"
        return value("TMUX") != nil || value("STY") != nil
            || ["dumb", "linux", "tmux", "screen"].contains { terminal == $0 || terminal.hasPrefix($0 + "-") }
    }

    /// Whether the pager shows links; `less -R` does.
    private var passesPager: Bool { ["less", "cat", ""].contains(process.environment("PAGER") ?? "less") }

    /// The values of TERM of terminals that show links.
    private static let terminals: Set<String> = [
        "alacritty", "contour", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty",
    ]
    /// The values of TERM_PROGRAM of terminals that show links.
    private static let programs: Set<String> = [
        "Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode",
    ]
    /// VTE 0.50, the first version of GNOME's terminals that shows links.
    private static let firstVTE = 5000
    /// Konsole 20.12, the first version that shows links.
    private static let firstKonsole = 201_200

    /// Returns a variable's value; nil if it is unset or empty.
    private func value(_ variable: String) -> String? {
        process.environment(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}
