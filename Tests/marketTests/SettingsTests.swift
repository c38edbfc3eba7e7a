import MarketViews
import TerminalKit
import Testing

@testable import market

@Suite struct SettingsTests {
  @Test func `options and servers are read, comments and left-over commas are allowed`() {
    let settings = Settings(
      """
      { // how I like it
        "language": "ko", "page-size": 40,
        "servers": { "home": "http://127.0.0.1:8080", },
      }
      """)

    #expect(settings.options.language == .ko)
    #expect(settings.options.pageSize == 40)
    #expect(settings.servers == ["home": "http://127.0.0.1:8080"])
    #expect(settings.mistakes.isEmpty)
  }

  @Test func `an unknown key and a bad value are named with their lines, the rest counts`() {
    let settings = Settings(
      """
      {
        "colour": "dark",
        "theme": "purple",
        "view": "list"
      }
      """)

    #expect(
      settings.mistakes == [
        SettingsMistake(line: 2, kind: .unknownKey("colour")),
        SettingsMistake(line: 3, kind: .badValue(key: "theme", value: "purple")),
      ])
    #expect(settings.options.view == .list)
  }

  @Test(arguments: ["", "[", "{\n\"a", "{ \"theme\" \"dark\" }", "null"])
  func `what is no settings file is one mistake`(text: String) {
    #expect(Settings(text).mistakes.count == 1)
  }

  @Test func `keys get other commands, and mistakes are told with their lines`() {
    let settings = Settings(
      """
      { "keys": {
          "Ctrl-J": "half-page-down", "M": "",
          "x": "delte",
          "Hyper-x": "down",
          "Ctrl-C": "down",
          "Ctrl-j": "up",
          "o": "filter",
        },
        "view": "list" }
      """)

    #expect(
      settings.mistakes == [
        SettingsMistake(line: 3, kind: .unknownCommand("delte")),
        SettingsMistake(line: 4, kind: .notAKey("Hyper-x")),
        SettingsMistake(line: 5, kind: .notAKey("Ctrl-C")),
        SettingsMistake(line: 6, kind: .keyTwice("Ctrl-j")),
        SettingsMistake(line: 8, kind: .withoutKey("order")),
      ])
    #expect(KeyMap.command(for: .control("j"), in: .list, settings.keys) == .halfPageDown)
    #expect(settings.options.view == .list)
  }

  @Test func `a remembered server stands in the file, and everything else stays`() {
    let file = "{ // mine\n  \"theme\": \"dark\"\n}\n"

    let once = Settings.remembering("home", "http://a/", in: file)
    let twice = once.flatMap { Settings.remembering("work", "http://b/", in: $0) }

    let settings = twice.map { Settings($0) }
    #expect(settings?.servers == ["home": "http://a/", "work": "http://b/"])
    #expect(settings?.options.theme == .dark)
    #expect(settings?.mistakes == [])
    #expect(twice?.hasPrefix("{") == true && twice?.contains("// mine") == true)
  }

  @Test func `an address with quotes is remembered as it is`() {
    let text = Settings.remembering("home", "http://a/?q=\"b\"", in: "{}")

    #expect(text.map { Settings($0).servers } == ["home": "http://a/?q=\"b\""])
  }

  @Test func `the first remembered server makes the file`() {
    let text = Settings.remembering("home", "http://a/", in: "")

    #expect(text.map { Settings($0).servers } == ["home": "http://a/"])
  }
}
