/// Output that belongs together: an answer to a key, or an opening screen.
struct Burst {
  /// From what caused it to its last byte, in milliseconds.
  let milliseconds: Double
  let byteCount: Int
}
