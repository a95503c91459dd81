internal import Foundation

/// The tables of servers on a folder and on a database, in Markdown.
struct ServerTable {
    let loads: [ServerLoad]
    let watchers: [WatcherLoad]
    /// The requests of one client while others attack the server.
    let attacks: [ServerLoad]
    let machine: Machine
    let options: Options

    var text: String {
        """
        \(machine.date), \(machine.processor), \(machine.cores) cores, \(machine.system), in `\(options.folder)`; \
        medians of \(options.repetitions)

        | requests | store | connections | a second | ÷ folder | p50 | p99 |
        | --- | --- | ---: | ---: | ---: | ---: | ---: |
        \(loads.map(row).joined(separator: "\n"))

        | connections that wait | store | memory of each | until all have a change |
        | ---: | --- | ---: | ---: |
        \(watchers.map(row).joined(separator: "\n"))

        | requests beside an attack | store | connections | a second | p50 | p99 |
        | --- | --- | ---: | ---: | ---: | ---: |
        \(attacks.map(attackRow).joined(separator: "\n"))
        """
    }

    private func row(_ load: ServerLoad) -> String {
        let folder = loads.first { $0.store == "folder" && $0.name == load.name }
        return row([
            load.name, load.store, String(load.connections), written(load.rate),
            folder.map { written(load.rate / $0.rate) } ?? "–", milliseconds(load.median),
            milliseconds(load.percentile99),
        ])
    }

    private func attackRow(_ load: ServerLoad) -> String {
        row([
            load.name, load.store, String(load.connections), written(load.rate), milliseconds(load.median),
            milliseconds(load.percentile99),
        ])
    }

    private func row(_ load: WatcherLoad) -> String {
        row([
            String(load.connections), load.store, written(Double(load.bytes) / 1024) + " KiB",
            milliseconds(load.duration),
        ])
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    private func milliseconds(_ duration: Duration) -> String {
        written(duration / .milliseconds(1)) + " ms"
    }
}
