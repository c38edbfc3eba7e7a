import Glibc

/// A new folder that goes with its value, and everything in it.
package struct TemporaryFolder: ~Copyable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/market-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BrokenPromise(description: "no folder to test in") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package func path(of name: String) -> String { path + "/" + name }

  deinit {
    // Deepest first, so that folders are empty when their turn comes; links are not followed.
    nftw(path, { path, _, _, _ in path.map { remove($0) } ?? 0 }, 8, FTW_DEPTH | FTW_PHYS)
  }
}
