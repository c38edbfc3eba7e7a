internal import CNcurses

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
