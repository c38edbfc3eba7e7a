internal import TextCoding

/// Commands of kitty's graphics protocol ("Terminal graphics protocol" of kitty's documentation).
package enum KittyCommand {
  /// Maximum base-64 bytes of a file in one command.
  private static let maximumChunk = 4096

  /// First version of kitty with Unicode placeholders.
  static let firstWithPlaceholders = (0, 28)

  /// Returns the commands that send a picture's file and give its size in cells; placeholders place it.
  ///
  /// The picture replaces any other with that `id`. Text may come between the commands, but no other
  /// command of the protocol. Through tmux, which drops commands while it redraws a window, the terminal
  /// is asked to confirm the picture.
  static func send(
    _ file: [UInt8], id: UInt32, size: CellSize, _ wrapper: Passthrough
  ) -> [[UInt8]] {
    var commands: [[UInt8]] = []
    let quiet = wrapper == .direct ? "q=2," : ""
    var start = 0
    while start == 0 || start < file.count {
      let end = min(start + maximumChunk, file.count)
      let hasMore = end < file.count ? 1 : 0
      let control =
        start == 0
        ? "a=T,U=1,\(quiet)f=100,t=d,i=\(id),c=\(size.columns),r=\(size.rows),m=\(hasMore)"
        : "\(quiet)m=\(hasMore)"
      var bytes: [UInt8] = []
      wrapper.append(command(control, file[start..<end]), to: &bytes)
      commands.append(bytes)
      start = max(end, 1)
    }
    return commands
  }

  /// Returns the command that deletes a picture from the terminal's memory.
  static func delete(id: UInt32, _ wrapper: Passthrough) -> [UInt8] {
    var bytes: [UInt8] = []
    wrapper.append(command("a=d,d=I,q=2,i=\(id)", []), to: &bytes)
    return bytes
  }

  /// Returns the command that deletes all pictures with ids in a range; older versions ignore it.
  static func delete(ids: ClosedRange<UInt32>, _ wrapper: Passthrough) -> [UInt8] {
    var bytes: [UInt8] = []
    let control = "a=d,d=R,q=2,x=\(ids.lowerBound),y=\(ids.upperBound)"
    wrapper.append(command(control, []), to: &bytes)
    return bytes
  }

  /// Returns the query for the protocol; the terminal does not store its picture of one pixel.
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
  /// PNG file, encoded by the program, in base 64.
  let file: [UInt8]
  /// PNG file with fewer pixels, in base 64, for slow connections; nil where it would save little.
  let draft: [UInt8]?
  /// Bytes of memory that the terminal needs for the picture.
  let decodedByteCount: Int

  /// Minimum bytes of a file with a draft; smaller ones are sent quickly.
  package static let smallestWithDraft = 8 << 10

  /// Creates a picture from a PNG file that the program encoded, its size in pixels, and optionally a
  /// file with fewer pixels.
  package init(png: [UInt8], width: Int, height: Int, draft: [UInt8]? = nil) {
    file = Base64.encode(png)
    self.draft = draft.map(Base64.encode)
    decodedByteCount = width * height * 4
  }
}

/// Route of a command to the terminal.
package enum Passthrough: Hashable, Sendable {
  case direct
  /// In a passthrough string, which tmux forwards where `allow-passthrough` is on and drops otherwise.
  case tmux

  func append(_ command: [UInt8], to bytes: inout [UInt8]) {
    switch self {
    case .direct: bytes += command
    case .tmux:
      bytes += "\u{1B}Ptmux;".utf8
      for byte in command {
        // tmux ends the string at a single ESC, so each is doubled.
        if byte == 0x1B { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes += "\u{1B}\\".utf8
    }
  }
}
