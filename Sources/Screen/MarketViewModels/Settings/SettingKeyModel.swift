/// Dialog that waits for the key of a command; it answers the name of the next key.
package final class SettingKeyModel: Dialog {
  package let reply = Reply<String>()
  package let row: SettingRow

  init(_ row: SettingRow) { self.row = row }

  package func give(keyNamed name: String) { reply.give(name) }

  package func cancel() { reply.give(nil) }
}
