/// Place of the person before the terminal, as the environment tells it.
package struct SessionEnvironment: Hashable, Sendable {
  /// Whether the terminal is on another machine, which ssh says.
  package let isRemote: Bool
  /// Whether a program that is started here can show a window to that person.
  package let hasDesktop: Bool

  /// One of them is enough: programs between, as sudo and tmux, pass some on and not others.
  private static let remote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
  private static let displays = ["WAYLAND_DISPLAY", "DISPLAY"]

  /// Reads variables by their names; `value` is nil for those that are not set.
  package init(_ value: (String) -> String? = Environment.value(of:)) {
    func isSet(_ name: String) -> Bool { value(name) != nil }
    isRemote = Self.remote.contains(where: isSet)
    // A display that ssh forwards is slow, and not where the person's own programs are.
    hasDesktop = !isRemote && Self.displays.contains(where: isSet)
  }
}
