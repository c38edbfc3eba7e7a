internal import SafeTextKit

/// Way in which a terminal is told to show a notification; the raw values are those of the option.
package enum NotificationChoice: String, CaseIterable, Hashable, Sendable {
  case off
  /// As the terminal is known to take it, else the bell.
  case auto
  case osc777
  case osc99
  case osc9
  case bell

  /// The way that is meant on a terminal; nil where none is wanted.
  func method(on environment: TerminalEnvironment) -> TerminalNotification.Method? {
    let isString = environment.knowsStrings
    return switch self {
    case .off: nil
    case .auto: environment.notification
    // Old consoles would show the command.
    case .osc777: isString ? .osc777 : .bell
    case .osc99: isString ? .osc99 : .bell
    case .osc9: isString ? .osc9 : .bell
    case .bell: .bell
    }
  }
}

/// Notification that the terminal shows outside of its screen, or a sound.
///
/// Nothing in its text ends the command or begins another: it is safe text without the separator of
/// such commands, and its beginning is fixed, so that no product's name is a number that means something
/// else (ConEmu's OSC 9;4 is a progress bar).
enum TerminalNotification {
  enum Method: Hashable, Sendable {
    /// urxvt's, which VTE, foot, WezTerm and Ghostty took over.
    case osc777
    /// kitty's "desktop notifications".
    case osc99
    /// iTerm2's, which is the whole text.
    case osc9
    case bell
  }

  private static let program: SafeText = "OpenMarket"
  /// Characters of a text at most, its beginning among them.
  static let longest = 200

  /// The text as it is shown.
  static func text(_ text: SafeText) -> String {
    let line = text.string.replacing(";", with: ",")
    return String((program.string + ": " + line).prefix(longest))
  }

  /// The command that shows a text.
  static func bytes(_ text: SafeText, _ method: Method, _ wrapper: Passthrough) -> [UInt8] {
    let command: String
    switch method {
    case .osc777: command = "777;notify;\(program.string);\(self.text(text))"
    case .osc99: command = "99;;\(self.text(text))"
    case .osc9: command = "9;\(self.text(text))"
    // A multiplexer takes the bell itself.
    case .bell: return [0x07]
    }
    var bytes: [UInt8] = []
    wrapper.append(Array("\u{1B}]\(command)\u{1B}\\".utf8), to: &bytes)
    return bytes
  }
}

extension TerminalEnvironment {
  /// The way that the terminal is known to take; through a multiplexer nobody knows.
  fileprivate var notification: TerminalNotification.Method {
    guard knowsStrings, !isInsideTmux, !isInsideScreen else { return .bell }
    return switch brand {
    case .kitty: .osc99
    case .iterm2: .osc9
    case .ghostty, .wezterm, .foot, .vte: .osc777
    case .vscode, .mintty, .konsole, .windowsTerminal, .alacritty, .contour, .xterm, nil: .bell
    }
  }
}
