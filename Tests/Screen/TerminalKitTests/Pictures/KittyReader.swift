/// Reads the commands of kitty's graphics protocol back, as its documentation describes them.
struct KittyReader {
  struct Picture: Equatable {
    var control: [Substring: Substring]
    /// The file as it was before base 64.
    var file: [UInt8]
  }

  private(set) var pictures: [UInt32: Picture] = [:]
  private(set) var mistakes: [String] = []
  private var open: (id: UInt32, picture: Picture)?

  mutating func read(_ bytes: [UInt8]) {
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while !text.isEmpty {
      guard text.hasPrefix("\u{1B}_G"), let end = text.firstRange(of: "\u{1B}\\") else {
        return mistakes.append("not a command: \(text.prefix(20).debugDescription)")
      }
      take(text[..<end.lowerBound].dropFirst(3))
      text = text[end.upperBound...]
    }
  }

  private mutating func take(_ command: Substring) {
    let parts = command.split(separator: ";", maxSplits: 1)
    let pairs = parts[0].split(separator: ",").map { $0.split(separator: "=") }
    let control = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    let payload = parts.count > 1 ? parts[1] : ""
    if control["q"] != "2" { mistakes.append("asks for an answer: \(parts[0])") }
    if payload.utf8.count > 4096 { mistakes.append("a chunk of \(payload.utf8.count)") }
    let id = control["i"].flatMap { UInt32($0) }
    switch (control["a"], id) {
    case ("T", let id?): open = (id, Picture(control: control, file: []))
    case ("d", let id?) where control["d"] == "I": pictures[id] = nil
    case (nil, nil) where open != nil && control.keys.allSatisfy { $0 == "q" || $0 == "m" }: break
    default: mistakes.append("unknown: \(parts[0])")
    }
    guard let (id, begun) = open, control["a"] != "d" else { return }
    var picture = begun
    picture.file += Self.decode(payload)
    open = control["m"] == "1" ? (id, picture) : nil
    if control["m"] != "1" { pictures[id] = picture }
  }

  static func decode(_ text: Substring) -> [UInt8] {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let values = Dictionary(uniqueKeysWithValues: zip(digits.utf8, 0...))
    var bytes: [UInt8] = []
    var bits = 0
    var count = 0
    for digit in text.utf8 {
      guard let value = values[digit] else { break }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 0xFF))
      }
    }
    return bytes
  }
}
