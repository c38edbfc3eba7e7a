internal import TextCoding

/// Commands of kitty's graphics protocol that the program sends ("Terminal graphics protocol" of
/// kitty's documentation).
package enum KittyCommand {
  /// The longest piece of a file in one command.
  private static let maximumChunk = 4096

  /// The first version of kitty that takes pictures as text.
  static let firstWithPlaceholders = (0, 28)

  /// Sends a picture's file and lays it out over cells, without placing it: its placeholders do.
  ///
  /// It gets the number `id` in the terminal, in place of whatever had it. Text may come between the
  /// commands, but no other command of the protocol.
  static func send(
    _ file: [UInt8], id: UInt32, size: CellSize, _ wrapper: Passthrough
  ) -> [[UInt8]] {
    var commands: [[UInt8]] = []
    var start = 0
    while start == 0 || start < file.count {
      let end = min(start + maximumChunk, file.count)
      let hasMore = end < file.count ? 1 : 0
      let control =
        start == 0
        ? "a=T,U=1,q=2,f=100,t=d,i=\(id),c=\(size.columns),r=\(size.rows),m=\(hasMore)"
        : "q=2,m=\(hasMore)"
      var bytes: [UInt8] = []
      wrapper.append(command(control, file[start..<end]), to: &bytes)
      commands.append(bytes)
      start = max(end, 1)
    }
    return commands
  }

  /// Takes a picture out of the terminal's memory.
  static func delete(id: UInt32, _ wrapper: Passthrough) -> [UInt8] {
    var bytes: [UInt8] = []
    wrapper.append(command("a=d,d=I,q=2,i=\(id)", []), to: &bytes)
    return bytes
  }

  /// Takes out all pictures with numbers in a range; older versions do not know it.
  static func delete(ids: ClosedRange<UInt32>, _ wrapper: Passthrough) -> [UInt8] {
    var bytes: [UInt8] = []
    let control = "a=d,d=R,q=2,x=\(ids.lowerBound),y=\(ids.upperBound)"
    wrapper.append(command(control, []), to: &bytes)
    return bytes
  }

  /// Asks whether the terminal knows the protocol; the picture of one pixel is not kept.
  static func question(_ wrapper: Passthrough) -> [UInt8] {
    var bytes: [UInt8] = []
    wrapper.append(command("i=31,s=1,v=1,a=q,t=d,f=24", Array("AAAA".utf8)), to: &bytes)
    return bytes
  }

  private static func command(_ control: String, _ payload: some Collection<UInt8>) -> [UInt8] {
    Array("\u{1B}_G".utf8) + control.utf8 + (payload.isEmpty ? [] : [UInt8(ascii: ";")]) + payload
      + Array("\u{1B}\\".utf8)
  }
}

/// Picture for terminals with kitty's graphics protocol.
package struct KittyPicture: Sendable {
  /// A PNG file of our own making, in base 64.
  let file: [UInt8]
  /// The same with fewer pixels, for slow lines; nil where it would save little.
  let draft: [UInt8]?
  /// Memory that the terminal needs for it.
  let decodedByteCount: Int

  /// Files below this many bytes come quickly anyhow.
  package static let smallestWithDraft = 8 << 10

  /// Takes a PNG file that the program has encoded itself, its size in pixels, and such a file with
  /// fewer pixels.
  package init(png: [UInt8], width: Int, height: Int, draft: [UInt8]? = nil) {
    file = Base64.encode(png)
    self.draft = draft.map(Base64.encode)
    decodedByteCount = width * height * 4
  }
}

/// Way on which a command reaches the terminal.
package enum Passthrough: Hashable, Sendable {
  case direct
  /// Inside a string that tmux hands on where `allow-passthrough` is on, and drops elsewhere.
  case tmux

  func append(_ command: [UInt8], to bytes: inout [UInt8]) {
    switch self {
    case .direct: bytes += command
    case .tmux:
      bytes += "\u{1B}Ptmux;".utf8
      for byte in command {
        // tmux ends the string at a lone escape, so each is doubled.
        if byte == 0x1B { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes += "\u{1B}\\".utf8
    }
  }
}
