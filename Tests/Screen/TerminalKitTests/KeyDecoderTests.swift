import Expectations
import TerminalKit
import TestSupport
import Testing

struct KeyDecoderTests {
  static let keys: [(String, KeyPress)] = [
    ("j", "j"), ("G", "G"), (" ", " "), ("é", "é"), ("한", "한"), ("👍", "👍"), ("\r", .enter),
    ("\n", .control("j")), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
    ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\0", .control(" ")),
    ("\u{1C}", .control("\\")), ("\u{1B}x", .alt("x")), ("\u{1B}한", .alt("한")),
    ("\u{1B}\r", KeyPress(.enter, .alt)), ("\u{1B}\u{7F}", KeyPress(.backspace, .alt)),
    ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[C", .right), ("\u{1B}OD", .left),
    ("\u{1B}[H", .home), ("\u{1B}OF", .end), ("\u{1B}[1~", .home), ("\u{1B}[4~", .end),
    ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp),
    ("\u{1B}[6~", .pageDown), ("\u{1B}[Z", .backTab), ("\u{1B}OM", .enter),
    ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)), ("\u{1B}[21~", .function(10)),
    ("\u{1B}[24~", .function(12)), ("\u{1B}[1;2A", KeyPress(.up, .shift)),
    ("\u{1B}[1;5C", KeyPress(.right, .control)), ("\u{1B}[1;3D", KeyPress(.left, .alt)),
    ("\u{1B}[3;6~", KeyPress(.delete, [.shift, .control])),
    ("\u{1B}[1;2R", KeyPress(.function(3), .shift)), ("\u{1B}[99;5u", .control("c")),
    ("\u{1B}[12618;5u", KeyPress(.character("ㅊ"), .control)), ("\u{1B}[27u", .escape),
    ("\u{1B}[27;5;13~", KeyPress(.enter, .control)), ("\u{1B}[9;2u", .backTab),
    ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)),
    ("\u{1B}[7$", KeyPress(.home, .shift)), ("\u{1B}[3$", KeyPress(.delete, .shift)),
    ("\u{1B}[5^", KeyPress(.pageUp, .control)),
    ("\u{1B}[6@", KeyPress(.pageDown, [.shift, .control])),
  ]

  static let events: [(String, InputEvent)] =
    keys.map { ($0.0, .key($0.1)) } + [
      ("\u{1B}[I", .focus(true)), ("\u{1B}[O", .focus(false)),
      ("\u{1B}[<0;12;5M", .mouse(MouseEvent(.press, at: CellPoint(column: 11, row: 4)))),
      ("\u{1B}[<0;12;5m", .mouse(MouseEvent(.release, at: CellPoint(column: 11, row: 4)))),
      (
        "\u{1B}[<2;12;5M",
        .mouse(MouseEvent(.press, by: .right, at: CellPoint(column: 11, row: 4)))
      ),
      (
        "\u{1B}[<1;12;5m",
        .mouse(MouseEvent(.release, by: .middle, at: CellPoint(column: 11, row: 4)))
      ),
      ("\u{1B}[<32;9;5M", .mouse(MouseEvent(.drag, at: CellPoint(column: 8, row: 4)))),
      ("\u{1B}[M@)%", .mouse(MouseEvent(.drag, at: CellPoint(column: 8, row: 4)))),
      ("\u{1B}[<64;1;1M", .mouse(MouseEvent(.wheelUp, at: .zero))),
      ("\u{1B}[M ,%", .mouse(MouseEvent(.press, at: CellPoint(column: 11, row: 4)))),
      ("\u{1B}[M#DD", .mouse(MouseEvent(.release, at: CellPoint(column: 35, row: 35)))),
      ("\u{1B}[Ma!!", .mouse(MouseEvent(.wheelDown, at: .zero))),
      (
        "\u{1B}[<81;300;1M",
        .mouse(MouseEvent(.wheelDown, at: CellPoint(column: 299, row: 0), modifiers: .control))
      ),
      ("\u{1B}]11;rgb:1e1e/ffff/0000\u{1B}\\", .reply(.background(RGB(30, 255, 0)))),
      ("\u{1B}]11;rgb:f/8/0\u{7}", .reply(.background(RGB(255, 136, 0)))),
      ("\u{1B}]10;rgba:00/80/ff/ff\u{7}", .reply(.foreground(RGB(0, 128, 255)))),
      ("\u{1B}]11;nonsense\u{7}", .reply(.other)),
      ("\u{1B}[?62;4;22c", .reply(.attributes([62, 4, 22]))),
      ("\u{1B}P>|foot(1.25)\u{1B}\\", .reply(.version("foot(1.25)"))),
      ("\u{1B}[1;1R", .reply(.cursor(.zero))), ("\u{1B}[13~", .key(.function(3))),
      ("\u{1B}[R", .key(.function(3))), ("\u{1B}OR", .key(.function(3))),
      ("\u{1B}[1;9R", .reply(.cursor(CellPoint(column: 8, row: 0)))),
      (
        "\u{1B}]1337;ReportCellSize=17.0;8.0;2.0\u{1B}\\",
        .reply(.inlineCell(width: 16, height: 34))
      ),
      ("\u{1B}]1337;ReportCellSize=17\u{7}", .reply(.other)),
      ("\u{1B}[24;80R", .reply(.cursor(CellPoint(column: 79, row: 23)))),
      ("\u{1B}[?2026;2$y", .reply(.mode(number: 2026, state: 2))),
      ("\u{1B}[6;20;10t", .reply(.cellPixels(width: 10, height: 20))),
      ("\u{1B}[?997;1n", .reply(.colorScheme(isDark: true))),
      ("\u{1B}_Gi=1;OK\u{1B}\\", .reply(.graphics("i=1;OK"))),
      ("\u{1B}[0n", .reply(.ready)), ("\u{1B}[3n", .reply(.other)),
      ("\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", .reply(.keptColors(.direct))),
      ("\u{1B}P1$r48;2;1;2;3m\u{1B}\\", .reply(.keptColors(.direct))),
      ("\u{1B}P1$r0;48:5:16m\u{1B}\\", .reply(.keptColors(.palette256))),
      ("\u{1B}P1$r0;40m\u{1B}\\", .reply(.keptColors(.ansi8))),
      ("\u{1B}P1$r0m\u{1B}\\", .reply(.other)), ("\u{1B}P0$r\u{1B}\\", .reply(.other)),
      ("\u{1B}P1+r436F=323536\u{1B}\\", .reply(.capability(name: "Co", value: "256"))),
      ("\u{1B}P1+r5463\u{1B}\\", .reply(.capability(name: "Tc", value: ""))),
      ("\u{1B}P1+rX\u{1B}\\", .reply(.other)), ("\u{1B}P0+r5463\u{1B}\\", .reply(.other)),
      ("\u{1B}[>1;10;0c", .reply(.other)), ("\u{1B}^x\u{1B}\\", .reply(.other)),
      ("\u{1B}[200~한\u{1B}[31mq\r\nD\ri\u{1B}[201~", .paste("한[31mq\nD\ni")),
      ("\u{1B}[200~\u{1B}\u{1B}[20\u{1B}[201~", .paste("[20")),
    ]

  @Test(arguments: events)
  func `each sequence is one event`(bytes: String, event: InputEvent) {
    var decoder = KeyDecoder()

    let decoded = decoder.feed(Array(bytes.utf8))

    expect(decoded, [event])
    expect(decoder.timeout, nil)
  }

  @Test(arguments: events)
  func `a sequence cut anywhere is the same event`(bytes: String, event: InputEvent) {
    let bytes = Array(bytes.utf8)
    for cut in bytes.indices {
      var decoder = KeyDecoder()

      let decoded = decoder.feed(Array(bytes[..<cut])) + decoder.feed(Array(bytes[cut...]))

      expect(decoded, [event], "cut before byte \(cut)")
    }
  }

  @Test func `all sequences in one read are all events`() {
    var decoder = KeyDecoder()

    let decoded = decoder.feed(Self.events.flatMap { Array($0.0.utf8) })

    expect(decoded, Self.events.map(\.1))
  }

  @Test func `a lone escape is a key once its time is over`() {
    var decoder = KeyDecoder()

    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.timeout != nil)
    expect(decoder.timeout(), [.key(.escape)])
    expect(decoder.timeout, nil)
    expect(decoder.feed(Array("j".utf8)), [.key("j")])
  }

  @Test func `two escapes are two keys`() {
    var decoder = KeyDecoder()

    expect(decoder.feed([0x1B, 0x1B]) + decoder.timeout(), [.key(.escape), .key(.escape)])
  }

  @Test(arguments: ["[", "]", "O", "P", "_", "^", "X"] as [Character])
  func `an introducer alone is its key with alt`(character: Character) {
    var decoder = KeyDecoder()

    let decoded = decoder.feed(Array("\u{1B}\(character)".utf8)) + decoder.timeout()

    expect(decoded, [.key(.alt(character))])
    expect(decoder.feed(Array("ab".utf8)), [.key("a"), .key("b")])
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", InputEvent.reply(.background(.white))),
    ("\u{1B}[?62;4c", .reply(.attributes([62, 4]))),
    ("\u{1B}P>|foot\u{1B}\\", .reply(.version("foot"))),
    ("\u{1B}[0n", .reply(.ready)),
    ("\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", .reply(.keptColors(.direct))),
  ])
  func `an answer that pauses anywhere types nothing`(bytes: String, answer: InputEvent) {
    let bytes = Array(bytes.utf8)
    for cut in bytes.indices.dropFirst() {
      var decoder = KeyDecoder()

      var decoded = decoder.feed(Array(bytes[..<cut]))
      decoded += decoder.timeout().filter { $0 != .key(.escape) && cut != 2 }
      decoded += decoder.feed(Array(bytes[cut...]))

      expect(decoded, [answer], "pause before byte \(cut)")
    }
  }

  @Test func `an answer that pauses twice types no more than its first two bytes`() {
    for rest in [
      "[?62;4c", "]11;rgb:ffff/ffff/ffff\u{1B}\\", "P>|foot\u{1B}\\", "_Gi=1;OK\u{1B}\\",
    ] {
      var decoder = KeyDecoder()
      let bytes = Array(rest.utf8)

      var decoded = decoder.feed([0x1B]) + decoder.timeout()
      decoded += decoder.feed([bytes[0]]) + decoder.timeout()
      decoded += decoder.feed(Array(bytes[1...]))

      expect(
        decoded.dropLast(), [.key(.escape), .key(KeyPress(Character(Unicode.Scalar(bytes[0]))))])
      if case .reply = decoded.last { continue }
      Issue.record("\(rest): \(decoded)")
    }
  }

  /// An answer as a terminal gives it whose controls have eight bits, bare and as UTF-8.
  static let eightBit: [[UInt8]] = [
    [0x9B] + Array("?62;4c".utf8), [0xC2, 0x9B] + Array("?62;4c".utf8),
    [0x9D] + Array("11;rgb:ffff/ffff/ffff".utf8) + [0x9C],
    [0xC2, 0x9D] + Array("11;rgb:ffff/ffff/ffff".utf8) + [0xC2, 0x9C],
    [0x90] + Array(">|foot".utf8) + [0x9C], [0x9B] + Array("0n".utf8),
  ]

  @Test(arguments: eightBit)
  func `an answer in eight bits is no key, wherever it is cut`(bytes: [UInt8]) {
    for cut in bytes.indices {
      var decoder = KeyDecoder()

      let decoded = decoder.feed(Array(bytes[..<cut])) + decoder.feed(Array(bytes[cut...]))

      expect(decoded.count, 1)
      guard case .reply(let reply) = decoded.first, reply != .other else {
        Issue.record("cut before \(cut): \(decoded)")
        continue
      }
      expect(decoder.feed(Array("j".utf8)), [.key("j")])
    }
  }

  @Test func `a paste whose end is lost ends after a silence, and keys are keys again`() {
    var decoder = KeyDecoder()

    #expect(decoder.feed(Array("\u{1B}[200~lamp".utf8)).isEmpty)
    expect(decoder.timeout, .seconds(1))
    expect(decoder.timeout(after: .seconds(1)), [.paste("lamp")])
    expect(decoder.feed(Array("j".utf8)), [.key("j")])
  }

  @Test func `Ctrl-C by itself ends a paste at once, and more behind it was pasted`() {
    var ended = KeyDecoder()
    var pasted = KeyDecoder()
    for decoder in [0, 1] {
      _ =
        decoder == 0
        ? ended.feed(Array("\u{1B}[200~lamp".utf8)) : pasted.feed(Array("\u{1B}[200~lamp".utf8))
    }

    #expect(ended.feed([3]).isEmpty)
    expect(ended.timeout, .milliseconds(20))
    expect(ended.timeout(), [.paste("lamp")])
    expect(pasted.feed([3]) + pasted.feed(Array("s\u{1C}\u{1B}[201~".utf8)), [.paste("lamps")])
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0x80], [0x1B, 0x5B, 0x39, 0x39, 0x39, 0x78],
    ] as [[UInt8]])
  func `garbage types nothing and harms nothing after it`(bytes: [UInt8]) {
    var decoder = KeyDecoder()

    let decoded = decoder.feed(bytes + Array("한".utf8))

    expect(decoded, [.key("한")])
  }

  @Test func `a key typed into an answer that never ends still counts`() {
    var decoder = KeyDecoder()

    let decoded = decoder.feed(Array("\u{1B}]11;rgb:00\r\u{3}j".utf8))

    expect(decoded, [.key(.enter), .key(.control("c")), .key("j")])
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:00", "\u{1B}P>|foo", "\u{1B}_Gi=1", "\u{1B}^a", "\u{1B}Xa", "\u{1B}[?62;2",
    "\u{1B}[M ",
  ])
  func `an answer without an end is over after a silence, and letters are keys again`(
    bytes: String
  ) {
    var decoder = KeyDecoder()

    #expect(decoder.feed(Array(bytes.utf8)).isEmpty)
    #expect(decoder.timeout().isEmpty && decoder.timeout == .seconds(2))
    #expect(decoder.timeout(after: .seconds(2)).isEmpty && decoder.timeout == nil)
    expect(decoder.feed(Array("?j".utf8)), [.key("?"), .key("j")])
  }

  @Test func `a paste beyond 16 MiB is cut at its end, and has no hole`() {
    var decoder = KeyDecoder()
    _ = decoder.feed(Array("\u{1B}[200~".utf8))
    let large = [UInt8](repeating: 0x61, count: (16 << 20) - 2)
    expect(decoder.feed(large), [])
    expect(decoder.feed(Array("bcd".utf8)), [])

    let events = decoder.feed(Array("e\u{1B}[201~".utf8))

    expect(events, [.paste(String(decoding: large, as: UTF8.self) + "bc")])
  }

  @Test func `a large paste is one event`() {
    let text = String(repeating: "가나다 abc\n", count: 100_000)
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    var decoder = KeyDecoder()
    var decoded: [InputEvent] = []

    for start in stride(from: 0, to: bytes.count, by: 4095) {
      decoded += decoder.feed(Array(bytes[start..<min(start + 4095, bytes.count)]))
    }

    expect(decoded, [.paste(text)])
  }

  @Test(arguments: 0..<50)
  func `random bytes decode the same however they are cut`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet =
      Array("\u{1B}\u{1B}\u{1B}[[]OP<?>;;0123456789~MmRcut\u{7}\\ab한글".utf8) + [0xFF, 0x80]
    let bytes = (0..<2000).map { _ in alphabet.randomElement(using: &random) ?? 0 }
    var whole = KeyDecoder()
    var cut = KeyDecoder()

    let expected = whole.feed(bytes)
    let decoded = bytes.flatMap { cut.feed([$0]) }

    expect(decoded, expected)
  }
}
