import CommandKit
import Expectations
import MarketAPI
import MarketStrings
import MarketViews
import SafeTextKit
import TerminalKit
import Testing

@testable import market

extension Settings {
  /// The file's text with a server remembered; nil where it had better not be touched.
  fileprivate static func remembering(_ name: String, _ address: String, in text: String) -> String?
  {
    try? changing(["servers", name], to: address, in: text)
  }
}

struct SettingsTests {
  @Test func `options and servers are read, comments and left-over commas are allowed`() {
    let settings = Settings(
      """
      { // how I like it
        "language": "ko", "page-size": 40,
        "servers": { "home": "http://127.0.0.1:8080", },
      }
      """)

    expect(settings.options.language, .ko)
    expect(settings.options.pageSize, 40)
    expect(settings.servers, ["home": "http://127.0.0.1:8080"])
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

    expect(
      settings.mistakes,
      [
        SettingsDiagnostic(line: 2, kind: .unknownKey("colour", meant: "colors")),
        SettingsDiagnostic(
          line: 3,
          kind: .badValue(
            key: "theme", value: "purple",
            expected: "auto|dark|light|high-contrast|colorblind|plain")),
      ])
    expect(settings.options.view, .list)
  }

  @Test func `a value that resembles one is asked about, and what one run asks for is not kept`() {
    let settings = Settings("{ \"theme\": \"drak\",\n\"id\": 3 }")

    let sentences = settings.mistakes.map { $0.text(in: "s", Strings(.english)).string }
    expect(
      sentences,
      [
        "s:1: Invalid value “drak” for theme; expected auto|dark|light|high-contrast|colorblind|plain"
          + " (did you mean dark?)",
        "s:2: id cannot be set in the settings file; use --id on the command line",
      ])
    expect(
      Set(Settings.keptOptions.map(\.name)),
      [
        "--api", "--ascii", "--cursor", "--language", "--log", "--no-password-cache", "--notify",
        "--notify-always", "--page-size", "--photo-port", "--pictures", "--plain", "--restore",
        "--server",
        "--theme", "--view",
      ])
  }

  @Test(arguments: ["", "[", "{\n\"a", "{ \"theme\" \"dark\" }", "null"])
  func `what is no settings file is one mistake`(text: String) {
    expect(Settings(text).mistakes.count, 1)
  }

  @Test(arguments: [
    (
      #"{ "page\u002dsize": 40, /* for now */ "language": "\u006bo" }"#,
      [] as [JSONDiagnostic.Expected]
    ),
    ("{ \"theme\": dark,\n \"language\": \"ko\", \"page-size\": 40 }", [.value]),
    ("{ theme: \"dark\", \"language\": \"ko\", \"page-size\": 40 }", [.key]),
    ("{ \"language\": \"ko\"\n \"page-size\" 40 }", [.comma, .colon]),
    ("{ \"theme\": \"dark,\n \"language\": \"ko\", \"page-size\": 40 }", [.quote]),
    ("{ \"theme\": \"\\x\",\n \"language\": \"ko\", \"page-size\": 40 }", [.escape]),
    ("{ \"language\": \"ko\", \"page-size\": 40", [.closing]),
    ("{ \"language\": \"ko\", \"page-size\": 40 } /* end", [.commentEnd]),
    ("{ \"language\": \"ko\", \"page-size\": 40 } }", [.end]),
    ("{ ],\n \"language\": \"ko\", \"page-size\": 40 }", [.key]),
  ])
  func `behind a mistake the rest of the file counts`(
    text: String, expected: [JSONDiagnostic.Expected]
  ) {
    let settings = Settings(text)

    expect(settings.mistakes.map(\.kind), expected.map(SettingsDiagnostic.Kind.syntax))
    #expect(settings.options.language == .ko && settings.options.pageSize == 40)
  }

  @Test func `every mistake is told with its line, what was expected and what to do`() {
    let settings = Settings(
      """
      {
        "servers": "home",
        "lanugage": "ko",
        "search": "bike",
        "page-size": [40]
        "keys": { "j": "dwon" } // down
      }
      """)

    let sentences = settings.mistakes.map { $0.text(in: "settings.json", Strings(.english)).string }
    expect(
      sentences,
      [
        "settings.json:2: servers must look like { \"name\": \"value\" }",
        "settings.json:3: “lanugage” is not a setting (did you mean language?)",
        "settings.json:4: search cannot be set in the settings file; use --search on the command line",
        "settings.json:5: a comma is missing after this entry",
        "settings.json:5: Invalid value “[...]” for page-size; expected 1-1000",
        "settings.json:6: there is no command “dwon” (did you mean down?)",
      ])
  }

  @Test(arguments: Language.allCases)
  func `the screen tells the first mistake and how many more there are`(language: Language) {
    let file = SettingsFile(path: "/home/me/settings.json")
    let mistakes = Settings("{\n\"a\": 1,\n\"b\": 2,\n\"c\": 3 }").mistakes

    let one = file.notice(of: [mistakes[0]], Strings(language))?.string ?? ""
    let two = file.notice(of: Array(mistakes.prefix(2)), Strings(language))?.string ?? ""

    #expect(one.hasPrefix("settings.json:2: ") && !one.contains("doctor"))
    #expect(two.hasPrefix(one + " (") && two.contains("1") && two.contains("market doctor"))
    expect(file.notice(of: [], Strings(language)), nil)
  }

  @Test func `a file of nothing but mistakes is told in some sentences`() {
    let text = "{" + String(repeating: "\n\"x\": 1,", count: 5_000)

    let sentences = SettingsFile(path: "/s").sentences(
      about: Settings(text).mistakes, Strings(.english))

    expect(sentences.count, 21)
    expect(sentences.last, "and 4,981 more errors in the settings")
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

    expect(
      settings.mistakes,
      [
        SettingsDiagnostic(line: 1, kind: .withoutKey("order")),
        SettingsDiagnostic(line: 3, kind: .unknownCommand("delte", meant: "delete")),
        SettingsDiagnostic(line: 4, kind: .notAKey("Hyper-x")),
        SettingsDiagnostic(line: 5, kind: .notAKey("Ctrl-C")),
        SettingsDiagnostic(line: 6, kind: .keyTwice("Ctrl-j")),
      ])
    var keys = CustomKeyBindings()
    let given: [(KeyPress, String?)] = [
      (.control("j"), "half-page-down"), ("M", nil), ("o", "filter"),
    ]
    for (key, name) in given { _ = keys.give(key, to: name) }
    expect(settings.keys, keys)
    expect(settings.options.view, .list)
  }

  @Test func `parts of the screen get colours, and mistakes are told with their lines`() {
    let settings = Settings(
      """
      { "colors": {
          "accent": "#ffaf5f", "bar": "default",
          "acent": "#fff",
          "warning": "red",
          "rule": 3,
          "text": ["#fff"],
        },
        "view": "list" }
      """)

    let sentences = settings.mistakes.map { $0.text(in: "s", Strings(.english)).string }
    expect(
      sentences,
      [
        "s:3: “acent” is not a part of the screen (did you mean accent?)",
        "s:4: Invalid value “red” for warning; expected #rrggbb|#rgb|default",
        "s:5: Invalid value “3” for rule; expected #rrggbb|#rgb|default",
        "s:6: Invalid value “[...]” for text; expected #rrggbb|#rgb|default",
      ])
    var colors = CustomColors()
    _ = colors.give("#ffaf5f", to: .accent)
    _ = colors.give("default", to: .bar)
    #expect(settings.colors == colors && settings.options.view == .list)
  }

  @Test func `something that is on or off is set by true and false`() {
    let settings = Settings("{ \"plain\": true, \"cursor\": \"true\",\n\"ascii\": 1 }")

    #expect(settings.options.isPlain && settings.options.showsCursor)
    expect(
      settings.mistakes,
      [
        SettingsDiagnostic(
          line: 2, kind: .badValue(key: "ascii", value: "1", expected: "true|false"))
      ])
  }

  @Test func `a remembered server stands in the file, and everything else stays`() {
    let file = "{ // mine\n  \"theme\": \"dark\"\n}\n"

    let once = Settings.remembering("home", "http://a/", in: file)
    let twice = once.flatMap { Settings.remembering("work", "http://b/", in: $0) }

    let settings = twice.map { Settings($0) }
    expect(settings?.servers, ["home": "http://a/", "work": "http://b/"])
    expect(settings?.options.theme, .dark)
    expect(settings?.mistakes, [])
    #expect(twice?.hasPrefix("{") == true && twice?.contains("// mine") == true)
  }

  @Test func `an address with quotes is remembered as it is`() {
    let text = Settings.remembering("home", "http://a/?q=\"b\"", in: "{}")

    expect(text.map { Settings($0).servers }, ["home": "http://a/?q=\"b\""])
  }

  @Test func `the first remembered server makes the file`() {
    let text = Settings.remembering("home", "http://a/", in: "")

    expect(text.map { Settings($0).servers }, ["home": "http://a/"])
  }

  @Test func `remembering leaves comments, order and unknown lines where they are`() {
    let file = """
      { // mine
        "servers": {
          "work": "http://w/" // the office
          /* more to come */
        },
        "unknown": [1, 2], // any
        "theme": "dark",
      }
      """

    let text = Settings.remembering("home", "http://h/", in: file)

    expect(
      text,
      """
      { // mine
        "servers": {
          "work": "http://w/", // the office
          /* more to come */
          "home": "http://h/"
        },
        "unknown": [1, 2], // any
        "theme": "dark",
      }
      """)
  }

  @Test func `a server that is remembered again gets its new address in its old place`() {
    let file = #"{ "servers": { "home": "http://a/", "work": "http://b/" } }"#

    let text = Settings.remembering("home", "http://c/", in: file)

    expect(text, #"{ "servers": { "home": "http://c/", "work": "http://b/" } }"#)
  }

  @Test(arguments: [
    ("{}", "{\n  \"servers\": {\n    \"h\": \"http://h/\"\n  }\n}"),
    (
      "{ \"theme\": \"dark\", }",
      "{ \"theme\": \"dark\",\n  \"servers\": {\n    \"h\": \"http://h/\"\n  }\n}"
    ),
    ("", "{\n  \"servers\": {\n    \"h\": \"http://h/\"\n  }\n}\n"),
  ])
  func `the first server is added behind everything else`(file: String, expected: String) {
    let text = Settings.remembering("h", "http://h/", in: file)

    expect(text, expected)
    expect(text.map { Settings($0).mistakes.isEmpty }, true)
  }

  @Test(arguments: ["{ \"theme\": }", "[]", "{ \"servers\": 1 }", "{"])
  func `a file with mistakes is not written to`(text: String) {
    expect(Settings.remembering("home", "http://h/", in: text), nil)
  }
}
