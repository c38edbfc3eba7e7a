/// How a command reaches the terminal.
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
