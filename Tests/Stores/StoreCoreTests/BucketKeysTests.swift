import Glibc
import MarketModel
import StoreCore
import TestSupport
import Testing

struct BucketKeysTests {
  private func read(_ variables: [String: String]) throws(BucketKeys.Mistake) -> BucketKeys {
    try BucketKeys.read { variables[$0] }
  }

  private func write(_ text: String, mode: Int32, _ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "keys")
    try FileContent(bytes: Array(text.utf8)).write(to: path)
    _ = chmod(path, mode_t(mode))
    try body(path)
  }

  @Test func `keys come from the environment`() throws {
    let keys = try read([
      "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
    ])

    #expect(keys.access == "a" && keys.secret == "s" && keys.token == "t")
    #expect(throws: BucketKeys.Mistake.missing) { try read(["AWS_ACCESS_KEY_ID": "a"]) }
  }

  @Test func `keys come from a private file before the environment`() throws {
    try write("access\nsecret\n", mode: 0o600) { path in
      let keys = try read([
        BucketKeys.fileVariable: path, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s",
      ])

      #expect(keys.access == "access" && keys.secret == "secret" && keys.token == nil)
    }
  }

  @Test func `a file that others can read is refused, and so is one without two words`() throws {
    try write("access secret", mode: 0o644) { path in
      #expect(throws: BucketKeys.Mistake.open) { try read([BucketKeys.fileVariable: path]) }
    }
    try write("access", mode: 0o600) { path in
      #expect(throws: BucketKeys.Mistake.misshapen) { try read([BucketKeys.fileVariable: path]) }
    }
    #expect(throws: BucketKeys.Mistake.self) { try read([BucketKeys.fileVariable: "/nowhere"]) }
  }
}
