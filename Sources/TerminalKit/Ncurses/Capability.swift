internal import CNcurses
import Glibc

/// Runs `body` with variables that no program started later will see.
func withEnvironment<Result>(_ variables: [String: String], _ body: () -> Result) -> Result {
  let previous = variables.keys.map { name in (name, getenv(name).map { String(cString: $0) }) }
  for (name, value) in variables { setenv(name, value, 1) }
  defer {
    for (name, value) in previous {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
  }
  return body()
}

/// A string capability of the terminal that ncurses has open; empty where it has none.
func capability(_ name: String) -> [UInt8] {
  guard let bytes = tigetstr(name), Int(bitPattern: bytes) != -1 else { return [] }
  return withoutDelays(String(cString: bytes))
}

/// Leaves out `$<5>` and the like, which only terminals of wire and glass wait for.
private func withoutDelays(_ text: String) -> [UInt8] {
  var bytes = Array(text.utf8)
  while let start = bytes.indices.dropLast().first(where: {
    bytes[$0...].starts(with: [0x24, 0x3C])
  }),
    let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
  {
    bytes.removeSubrange(start...end)
  }
  return bytes
}
