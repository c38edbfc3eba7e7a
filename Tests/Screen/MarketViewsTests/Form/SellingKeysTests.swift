import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The tables of keys in a form and in what lies over it.
struct SellingKeysTests {
  @Test(arguments: SellingScreen.allCases)
  func `Esc and Ctrl-C leave what is on top and never the program`(screen: SellingScreen)
    async throws
  {
    for key in [KeyPress.escape, .control("c")] {
      let stage = try await screen.stage()
      let before = stage.top

      stage.press(key)
      await stage.settle()

      #expect(stage.top !== before && !stage.navigator.program.isQuitting)
    }
  }

  @Test(arguments: [
    (
      SellingScreen.photos,
      ["add-photo", "move-photo-left", "move-photo-right", "make-cover", "remove-photo"]
    ),
    (.line, []), (.number, []), (.choice, ["open-currency"]), (.text, ["open-editor"]),
    (.secret, ["show-password"]),
  ])
  func `the footer of a form follows the field`(screen: SellingScreen, own: [String]) async throws {
    let rows = try await screen.stage().screen(80, 24).rows

    let offered = rows.filter { $0.footer != nil }.map(\.name)
    expect(Set(offered), Set(own + ["submit", "next-field", "leave-form", "help"]))
  }

  @Test func `what goes for good is answered by no key of the Hangul layout`() async throws {
    let stage = try await SellingScreen.deletion.stage()

    stage.press("ㅛ", "ㅣ")
    expect(stage.navigator.stack.first(ConfirmationModel.self)?.isYes, false)
    stage.press("l")

    expect(stage.navigator.stack.first(ConfirmationModel.self)?.isYes, true)
    expect(stage.repository.deletions.callCount, 0)
  }

  @Test func `F7 asks by which name a form is kept as a template`() async throws {
    let stage = try await SellingScreen.line.stage()

    stage.press(.function(7))

    expect((stage.top as? PromptModel)?.subject, .templateName)
  }

  @Test func `another question is answered by one`() async throws {
    let stage = try await SellingScreen.edit.stage()

    stage.press("ㅛ")
    await stage.settle()

    #expect(stage.top is SendingModel)
  }

  @Test(arguments: ["n", "ㅜ"] as [KeyPress])
  func `after a registration the key sells another in the same currency`(key: KeyPress) async throws
  {
    let stage = Stage(sells: true)
    let product = Product.sample(id: 7, currency: .usd)
    try await stage.show([product])
    stage.navigator.announce(.registered(ListedProduct(product), .shown))

    stage.press(key)
    await until { stage.form != nil }

    expect(stage.form?.currency, .usd)
  }
}
