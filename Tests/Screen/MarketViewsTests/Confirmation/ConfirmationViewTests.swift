import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

@testable import MarketViewModels

/// The box that asks before something is sent.
struct ConfirmationViewTests {
  /// The question before an edit.
  private func ask(_ change: (inout ProductForm) -> Void) async throws -> Stage {
    let stage = Stage(sells: true)
    try await stage.show([.sample(id: 7, name: "자전거", price: 240_000)])
    stage.press("e", "s", "e", "c", "r", "e", "t", .enter)
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(
      .sample(
        of: .sample(id: 7, name: "자전거", price: 240_000),
        description: "작년에 샀고 흠집이 없습니다."))
    await until { stage.form != nil }
    stage.navigator.selling?.form?.edit(change)
    stage.press(.control("s"))
    await until { stage.top is ConfirmationModel }
    return stage
  }

  /// The rows of the box.
  private func box(_ stage: Stage, columns: Int = 80, rows: Int = 24) -> [String] {
    let lines = stage.lines(columns, rows)
    guard let top = lines.firstIndex(where: { $0.contains("╭") }),
      let bottom = lines.firstIndex(where: { $0.contains("╰") })
    else { return [] }
    return lines[top...bottom].map { line in
      let inner = line.drop { $0 != "│" && $0 != "╭" && $0 != "╰" }.dropFirst()
      return String(inner.prefix { $0 != "│" }.reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test func `long values leave each other room`() async throws {
    let stage = try await ask { form in
      form.focus(.name)
      _ = form.paste(String(repeating: "가나다", count: 20))
    }

    let row = box(stage).first { $0.contains("→") } ?? ""
    #expect(row.hasPrefix("  이름  자전거 → 자전거가나다") && row.hasSuffix("…"))
  }

  @Test func `the question before listing repeats price, category, condition and place`() {
    var values = FormValues()
    values[.name] = "Bike"
    values[.price] = "180000"
    values[.category] = "sports"
    values[.condition] = "good"
    values[.place] = "Mapo"
    let stage = Stage(sells: true)
    stage.navigator.stack.push(ConfirmationModel(.registration(values)))

    let lines = stage.lines(80, 24, .english).filter { $0.contains("│") }.map { line in
      line.split(separator: "│")[1].split(separator: " ").joined(separator: " ")
    }

    expect(
      lines.filter { !$0.isEmpty }.dropFirst().prefix(4),
      ["Price ₩180,000", "Category Sports", "Condition Good", "Place Mapo"])
  }

  @Test func `taking an edit back says what comes back`() async throws {
    let stage = try await ask { form in
      form.focus(.price)
      form.edit(TextChange { $0.buffer.selectAll() })
      _ = form.paste("220000")
    }
    stage.press(.enter)
    try await stage.repository.updates.next().answer(
      .sample(
        of: .sample(id: 7, name: "자전거", price: 220_000),
        description: "작년에 샀고 흠집이 없습니다."))
    await until { stage.form == nil }

    // With the password of the edit, which is kept.
    stage.press("u")
    await until { stage.top is ConfirmationModel }

    #expect(box(stage).contains("  가격  ₩220,000 → ₩240,000"))
  }
}
