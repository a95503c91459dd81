internal import Foundation

/// The measurements as a Markdown table.
struct Table {
    let measurements: [Measurement]
    let floors: [Floor]
    let peers: [PeerMeasurement]
    let loads: [ServerLoad]
    let growth: Growth
    let machine: Machine
    let options: Options

    var text: String {
        """
        \(machine.date), \(machine.processor), \(machine.cores) cores, \(machine.system), in `\(options.folder)`; \
        medians of \(options.repetitions)

        | job | by | todos | todosync | git | todosync ÷ git |
        | --- | --- | ---: | ---: | ---: | ---: |
        \(rows.joined(separator: "\n"))

        | system calls alone | todos | time |
        | --- | ---: | ---: |
        \(floorRows.joined(separator: "\n"))

        | peak memory | by | todos | todosync | git | todosync ÷ git |
        | --- | --- | ---: | ---: | ---: | ---: |
        \(memoryRows.joined(separator: "\n"))

        | job | todos | todosync | other | | todosync ÷ other |
        | --- | ---: | ---: | ---: | --- | ---: |
        \(peerRows.joined(separator: "\n"))

        | `.todosync` of \(growth.todos) todos | files | bytes ÷ the todos' bytes | sync of 1 edit |
        | --- | ---: | ---: | ---: |
        \(growthRows.joined(separator: "\n"))

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

    private var floorRows: [String] {
        floors.map { floor in
            let time = median(floor.durations.map { $0 / .milliseconds(1) })
            let todos = floor.work.dependsOnTodos ? String(floor.todos) : "–"
            return "| \(floor.work.rawValue) | \(todos) | \(written(time)) ms |"
        }
    }

    private var rows: [String] {
        measurements.filter { $0.tool == "todosync" }.map {
            row($0, unit: "ms") { median($0.efforts.map { $0.duration / .milliseconds(1) }) }
        }
    }

    private var memoryRows: [String] {
        measurements.filter { $0.tool == "todosync" && $0.job.needsMemory }.map {
            row($0, unit: "MiB") { median($0.efforts.map { Double($0.peakMemory) / 1_048_576 }) }
        }
    }

    /// Returns a row that compares the tools' costs for a job.
    private func row(_ todosync: Measurement, unit: String, _ value: (Measurement) -> Double) -> String {
        let git = measurements.first {
            $0.tool == "git" && $0.job == todosync.job && $0.todos == todosync.todos
                && $0.transport == todosync.transport
        }
        let cells = [
            todosync.job.name(at: todosync.todos),
            todosync.job.isExchange ? todosync.transport.rawValue : "–",
            todosync.job.dependsOnTodos ? String(todosync.todos) : "–",
            "\(written(value(todosync))) \(unit)",
            git.map { "\(written(value($0))) \(unit)" } ?? "–",
            git.map { written(value(todosync) / value($0)) } ?? "–",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private var peerRows: [String] {
        peers.map { measurement in
            let todosync = median(measurement.todosync.map { $0 / .milliseconds(1) })
            let otherTool = median(measurement.other.map { $0 / .milliseconds(1) })
            let cells = [
                "\(measurement.job.rawValue), by \(measurement.transport.rawValue)",
                String(measurement.todos),
                "\(written(todosync)) ms", "\(written(otherTool)) ms", measurement.peer,
                written(todosync / otherTool),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }

    private var growthRows: [String] {
        let some = max(1, growth.syncs.count / 10)
        return [
            ("after the clone", growth.afterClone, growth.syncs.prefix(some)),
            (
                "after \(growth.syncs.count) syncs of an edit each", growth.afterSyncs,
                growth.syncs.suffix(some)
            ),
        ].map { moment, contents, syncs in
            let cells = [
                moment, String(contents.files),
                written(Double(contents.bytes) / Double(growth.todoBytes)),
                written(median(syncs.map { $0 / .milliseconds(1) })) + " ms",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
    }
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Returns a number with two or three significant digits.
func written(_ number: Double) -> String {
    let digits = number < 1 ? 2 : number < 100 ? 1 : 0
    return number.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_GB")))
}
