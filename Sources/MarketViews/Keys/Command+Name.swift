extension Command {
  /// What a settings file calls the command: `half-page-down`.
  package var name: String {
    String(describing: self).map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }

  /// The command of a name; nil where there is none, or none that may get other keys.
  package init?(name: String) {
    guard let command = KeyChanges.commands.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}
