import Expectations
import Glibc
import Testing

@testable import MarketClient

struct CurlEngineTests {
  @Test func `an engine for which the system has no room says so and leaves nothing open`() async {
    await #expect(processExitsWith: .success) {
      let library = try CurlLibrary(named: "libcurl.so.4")
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var open: [Int32] = []
      while case let descriptor = dup(0), descriptor >= 0 { open.append(descriptor) }

      // libcurl itself takes up to two.
      for room in 0...3 {
        #expect(throws: TransportError.exhausted) { try CurlEngine(library, trusting: nil) }

        var left: [Int32] = []
        while case let descriptor = dup(0), descriptor >= 0 { left.append(descriptor) }
        expect(left.count, room)
        for descriptor in left { close(descriptor) }
        if let last = open.popLast() { close(last) }
      }
    }
  }
}
