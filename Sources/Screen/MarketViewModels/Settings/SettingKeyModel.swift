/// The question which key a command gets; the next one that is pressed answers it by its name.
package final class SettingKeyModel: Dialog {
  package let reply = Reply<String>()
  package let row: SettingRow

  init(_ row: SettingRow) { self.row = row }

  package func give(keyNamed name: String) { reply.give(name) }

  package func cancel() { reply.give(nil) }
}
