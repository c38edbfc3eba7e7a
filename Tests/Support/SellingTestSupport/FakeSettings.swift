import MarketViewModels
package import SafeTextKit

/// Settings without a file: three options, a colour, a command and a server.
@MainActor package final class FakeSettings: SettingsStore {
  package let path: SafeText = "~/settings.json"
  package private(set) var values: [[String]: String] = [["servers", "home"]: "http://home"]
  /// What was shown last; nil is what is kept.
  package private(set) var previewed: SettingChange?
  package private(set) var saved: [SettingChange] = []
  /// Why nothing is kept; nil where it is.
  package var refusal: SafeText?

  package init() {}

  package var rows: [SettingRow] {
    let key = values.first { $0.key[0] == "keys" }?.key[1]
    let server = values[["servers", "home"]]
    return [
      row(.options, .choice(["auto", "dark", "light"]), ["theme"], "The colours", "auto"),
      row(.options, .choice(["false", "true"]), ["plain"], "Plain lines", "false"),
      row(.options, .text(form: "1-1000"), ["page-size"], "Products at once", "20", restarts: true),
      row(.colors, .text(form: "#rrggbb"), ["colors", "accent"], "What is selected", "theme"),
      SettingRow(
        .keys, .command(customKeys: [key].compactMap(\.self)), ["keys", "copy"], summary: "Copy",
        value: key.map { $0 + " y" }, standard: "y"),
    ]
      + [
        server.map {
          SettingRow(
            .servers, .entry, ["servers", "home"], label: "home", summary: SafeText($0), value: $0)
        }
      ].compactMap(\.self)
  }

  package func refresh() {}

  package func preview(_ change: SettingChange?) { previewed = change }

  package func save(_ change: SettingChange) -> SettingOutcome {
    if let refusal { return .refused(refusal) }
    let undo = SettingChange(change.path, to: values[change.path])
    values[change.path] = change.value
    saved.append(change)
    return .saved(undo: undo, SafeText(change.path.joined(separator: ".") + " saved"))
  }

  private func row(
    _ section: SettingRow.Section, _ kind: SettingRow.Kind, _ path: [String], _ summary: SafeText,
    _ standard: String, restarts: Bool = false
  ) -> SettingRow {
    SettingRow(
      section, kind, path, summary: summary, value: values[path], standard: standard,
      needsRestart: restarts)
  }
}
