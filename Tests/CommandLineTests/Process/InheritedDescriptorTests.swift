import Foundation
import Platform
import TestSupport
import Testing

/// A connection ends only after every process has closed the socket, so child processes must not inherit it.
@Suite struct InheritedDescriptorTests {
    @Test("a program that a test starts inherits no descriptor") func inheritance() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let program = try ChildProcess(["sleep", "60"])
        defer {
            program.signal(SIGKILL)
            program.wait()
        }
        close(ends[1])
        var input = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&input, 1, 20_000) == 1)
        #expect(input.revents & Int16(POLLHUP) != 0)
        close(ends[0])
    }
}
