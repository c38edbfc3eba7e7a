internal import SafeTextKit

/// Setting for notifications through the terminal; raw values are those of the option.
package enum NotificationChoice: String, CaseIterable, Hashable, Sendable {
  case off
  /// The terminal's own method where it is known, else the bell.
  case auto
  case osc777
  case osc99
  case osc9
  case bell

  /// Returns the method for a terminal; nil for `.off`.
  func method(on environment: TerminalEnvironment) -> TerminalNotification.Method? {
    let isString = environment.knowsStrings
    return switch self {
    case .off: nil
    case .auto: environment.notification
    // Old consoles would print the command.
    case .osc777: isString ? .osc777 : .bell
    case .osc99: isString ? .osc99 : .bell
    case .osc9: isString ? .osc9 : .bell
    case .bell: .bell
    }
  }
}

/// Notification that the terminal shows outside its screen, or a sound.
///
/// The text cannot end the command or begin another: it is `SafeText` without semicolons, and its
/// prefix is fixed, so that no product name is read as a number (ConEmu's OSC 9;4 is a progress bar).
enum TerminalNotification {
  enum Method: Hashable, Sendable {
    /// Method of urxvt; also in VTE, foot, WezTerm and Ghostty.
    case osc777
    /// kitty's "desktop notifications" protocol.
    case osc99
    /// iTerm2's method, which has one text without a title.
    case osc9
    case bell
  }

  private static let program: SafeText = "OpenMarket"
  /// Maximum characters of a text with its prefix; the rest is cut.
  static let longest = 200

  /// Returns the text as it is sent.
  static func text(_ text: SafeText) -> String {
    let line = text.string.replacing(";", with: ",")
    return String((program.string + ": " + line).prefix(longest))
  }

  /// Returns the command that shows a text.
  static func bytes(_ text: SafeText, _ method: Method, _ wrapper: Passthrough) -> [UInt8] {
    let command: String
    switch method {
    case .osc777: command = "777;notify;\(program.string);\(self.text(text))"
    case .osc99: command = "99;;\(self.text(text))"
    case .osc9: command = "9;\(self.text(text))"
    // A multiplexer handles the bell itself.
    case .bell: return [0x07]
    }
    var bytes: [UInt8] = []
    wrapper.append(Array("\u{1B}]\(command)\u{1B}\\".utf8), to: &bytes)
    return bytes
  }
}

extension TerminalEnvironment {
  /// Method that the terminal is known to support; the bell in a multiplexer, whose terminal is
  /// unknown.
  fileprivate var notification: TerminalNotification.Method {
    guard knowsStrings, !isInsideTmux, !isInsideScreen else { return .bell }
    return switch knownBrand {
    case .kitty: .osc99
    case .iterm2: .osc9
    case .ghostty, .wezterm, .foot, .vte: .osc777
    case .vscode, .mintty, .konsole, .windowsTerminal, .alacritty, .contour, .mlterm, .xterm, nil:
      .bell
    }
  }
}
