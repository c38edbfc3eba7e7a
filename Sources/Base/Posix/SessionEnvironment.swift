/// Location of the user's terminal, from environment variables.
package struct SessionEnvironment: Hashable, Sendable {
  /// Whether the terminal is on another machine, connected by ssh.
  package let isRemote: Bool
  /// Whether programs started here can show windows to the user.
  package let hasDesktop: Bool

  /// One is enough: sudo and tmux pass on some and not others.
  private static let remote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
  private static let displays = ["WAYLAND_DISPLAY", "DISPLAY"]

  /// Reads environment variables; `value` returns nil for unset ones.
  package init(_ value: (String) -> String? = Environment.value(of:)) {
    func isSet(_ name: String) -> Bool { value(name) != nil }
    isRemote = Self.remote.contains(where: isSet)
    // A forwarded display is slow, and the user's own programs are not there.
    hasDesktop = !isRemote && Self.displays.contains(where: isSet)
  }
}
