internal import Platform

// Measures todosync, git and other programs at the same work, in turns, and prints Markdown tables.
do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        print(Options.help)
    } else if let database = options.database {
        let comparison = try Comparison(options: options)
        let loads = try comparison.databaseLoads(database)
        let watchers = try comparison.watcherLoads(database)
        let attacks = try comparison.attackLoads(database)
        print(
            ServerTable(
                loads: loads, watchers: watchers, attacks: attacks, machine: .this(), options: options
            ).text)
    } else {
        let comparison = try Comparison(options: options)
        let measurements = try comparison.measurements()
        let floors = try comparison.floors()
        let peers = try comparison.peerMeasurements()
        let loads = try comparison.serverLoads()
        let growth = try comparison.growth()
        print(
            Table(
                measurements: measurements, floors: floors, peers: peers, loads: loads, growth: growth,
                machine: .this(), options: options
            ).text)
    }
} catch {
    report("benchmarks: \(error)")
    exit(1)
}
