import Foundation
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

extension Machine {
    /// Checks that `status` and `prompt` say the same as the report of a push, pull or sync, and returns the
    /// report.
    func compare(_ verb: Verb, _ report: SyncReport) throws -> SyncReport {
        guard report.stop == nil else { return report }
        let plain = Workspace(
            directory: WorkingDirectory(root: folder.path), surroundings: workspace.surroundings.silent)
        let status = try plain.status()
        let what = {
            "\(verb): \(report.conflicts), \(report.refused), \(report.held.waiting), "
                + "\(status.pendingLines), \(status.conflicts), \(status.held.waiting)"
        }
        // A pull doesn't report what only a push would send.
        if report.needsUser {
            #expect(!status.isClean, "\(what())")
        } else if verb == .sync {
            #expect(status.isClean, "\(what())")
        }
        #expect(report.needsUser || status.held.waiting.isEmpty, "\(what())")
        try compare(status, plain, what)
        return report
    }

    /// Checks that `prompt` counts what a status lists, except new files.
    private func compare(_ status: StatusReport, _ plain: Workspace, _ what: () -> String) throws {
        // Without the cache, it reads all files, including those that an editor changed.
        let cache = ".todosync/cache"
        let bytes = FileManager.default.contents(atPath: folder.path(of: cache))
        if bytes != nil { try folder.remove(cache) }
        let glance = try Glance(of: plain)
        if let bytes { try bytes.write(to: URL(fileURLWithPath: folder.path(of: cache))) }
        let conflicts = Set(status.conflicts.map(\.id))
        let pending = status.pending.filter { !($0.id.map(conflicts.contains) ?? false) }
        let state = try plain.directory.state()
        let recorded = pending.filter { $0.id.map { state.todos[$0] != nil } ?? false }
        #expect(glance.conflicts == conflicts.count, "\(glance), \(what())")
        #expect(glance.waiting == status.held.waiting.count, "\(glance), \(what())")
        if !glance.hasMore {
            #expect((recorded.count...pending.count).contains(glance.pending), "\(glance), \(what())")
        }
    }
}

extension Surroundings {
    fileprivate var silent: Surroundings {
        var surroundings = self
        surroundings.notice = { _ in }
        return surroundings
    }
}

extension SyncReport {
    /// The deletes that a guard withholds.
    var withheld: WithheldChanges? { held.withheld.last { $0.change == .delete } }
    /// The edits that a guard withholds.
    var withheldEdits: WithheldChanges? { held.withheld.first { $0.change == .update } }
}
