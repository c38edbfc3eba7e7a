import Glibc

/// All bytes of a file, to compare before and after.
package struct FileContent: Hashable, Sendable {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(of path: String) throws {
    bytes = []
    let file = fopen(path, "r")
    guard let file else { throw UnexpectedError(description: "cannot read \(path)") }
    defer { fclose(file) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
  }

  package func write(to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw UnexpectedError(description: "cannot write \(path)")
    }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw UnexpectedError(description: "cannot write \(path)")
    }
  }
}
