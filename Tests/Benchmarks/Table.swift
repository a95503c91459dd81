internal import Foundation

/// What was measured, as a table in Markdown.
struct Table {
    let measurements: [Measurement]
    let loads: [ServerLoad]
    let machine: Machine
    let options: Options

    var text: String {
        """
        \(machine.date), \(machine.processor), \(machine.cores) cores, \(machine.system), in `\(options.folder)`; \
        medians of \(options.repetitions)

        | job | by | todos | todosync | git | todosync ÷ git |
        | --- | --- | ---: | ---: | ---: | ---: |
        \(rows.joined(separator: "\n"))

        | requests to the server | connections | a second | writes a second | p50 | p99 |
        | --- | ---: | ---: | ---: | ---: | ---: |
        \(loadRows.joined(separator: "\n"))
        """
    }

    private var loadRows: [String] {
        loads.map { load in
            let writes = load.name.hasPrefix("GET") ? "–" : written(load.rate * Double(load.writes))
            let cells = [
                load.name, String(load.connections), written(load.rate), writes,
                written(load.median / .milliseconds(1)) + " ms",
                written(load.percentile99 / .milliseconds(1)) + " ms",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }

    private var rows: [String] {
        measurements.filter { $0.tool == "todosync" }.map { todosync in
            let git = measurements.first {
                $0.tool == "git" && $0.job == todosync.job && $0.todos == todosync.todos
                    && $0.transport == todosync.transport
            }
            let time = milliseconds(todosync.durations)
            let gitTime = git.map { milliseconds($0.durations) }
            let cells = [
                todosync.job.rawValue, todosync.job.isExchange ? todosync.transport.rawValue : "–",
                todosync.job.dependsOnTodos ? String(todosync.todos) : "–",
                written(time) + " ms",
                gitTime.map { written($0) + " ms" } ?? "–",
                gitTime.map { written(time / $0) } ?? "–",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }
}

/// Returns the median in milliseconds.
private func milliseconds(_ durations: [Duration]) -> Double {
    let sorted = durations.sorted()
    let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return middle / .milliseconds(1)
}

/// Returns a number with two or three significant digits.
private func written(_ number: Double) -> String {
    let digits = number < 1 ? 2 : number < 100 ? 1 : 0
    return number.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_GB")))
}
