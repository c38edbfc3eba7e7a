import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct TerminalNotificationTests {
  private func command(
    _ text: String, _ method: TerminalNotification.Method, _ wrapper: Passthrough = .direct
  ) -> String {
    String(
      decoding: TerminalNotification.bytes(SafeText(text), method, wrapper), as: UTF8.self)
  }

  @Test func `each way has its command`() {
    expect(command("hi", .osc777), "\u{1B}]777;notify;OpenMarket;OpenMarket: hi\u{1B}\\")
    expect(command("hi", .osc99), "\u{1B}]99;;OpenMarket: hi\u{1B}\\")
    expect(command("hi", .osc9), "\u{1B}]9;OpenMarket: hi\u{1B}\\")
    expect(command("hi", .bell), "\u{7}")
    expect(
      command("hi", .osc9, .tmux), "\u{1B}Ptmux;\u{1B}\u{1B}]9;OpenMarket: hi\u{1B}\u{1B}\\\u{1B}\\"
    )
  }

  @Test(arguments: [
    "4;3;100", "\u{1B}\\\u{1B}]0;title\u{7}", "a\u{9C}b\u{90}c", "\u{7}\u{0}\u{18}\r\n",
    "e=1;i=2:p=close;", "\u{202E}gpj.exe",
  ])
  func `nothing in a name ends the command or begins another`(name: String) {
    for method in [TerminalNotification.Method.osc777, .osc99, .osc9] {
      let command = command(name, method)
      let body = command.dropFirst("\u{1B}]".count).dropLast("\u{1B}\\".count)

      let scalars = body.unicodeScalars.map(\.value)
      #expect(scalars.allSatisfy { $0 >= 0x20 && !(0x7F...0x9F).contains($0) })
      let text = TerminalNotification.text(SafeText(name))
      #expect(body.hasSuffix(text) && text.hasPrefix("OpenMarket: "))
      #expect(!text.contains(";") && text.count <= 200)
    }
  }

  @Test func `a long name is cut`() {
    let name = String(repeating: "자전거;", count: 10_000)

    expect(TerminalNotification.text(SafeText(name)).count, 200)
  }

  @Test func `by itself it goes as the terminal is known to take it`() {
    func method(
      _ version: String?, name: String = "xterm-256color", inherited brand: TerminalBrand? = nil
    ) -> TerminalNotification.Method? {
      var environment = TerminalEnvironment(name: name, brand: brand)
      if let version { environment.didReceive(version: version) }
      return NotificationChoice.auto.method(on: environment)
    }

    #expect(method("kitty(0.43.0)") == .osc99 && method("iTerm2 3.5.0") == .osc9)
    #expect(method("foot(1.25.0)") == .osc777 && method(nil, name: "foot") == .osc777)
    #expect(method(nil) == .bell && method("XTerm(379)") == .bell)
    #expect(method(nil, inherited: .kitty) == .bell && method("tmux 3.4") == .bell)
    expect(method("VTE(7600)", name: "linux"), .bell)
    let console = TerminalEnvironment(name: "linux")
    expect(NotificationChoice.osc777.method(on: console), .bell)
    expect(NotificationChoice.off.method(on: console), nil)
  }
}
