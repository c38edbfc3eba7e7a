import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Input that comes faster than what it is about.
struct TypedAheadTests {
  /// All that a story leaves, after each stretch before and after the market's answer.
  private func traces(of story: SellingStory, atOnce: Bool, inHangul: Bool) async throws
    -> [StoryStage
    .Trace]
  {
    let stage = try await StoryStage(isFirstSale: story == .firstRegistration)
    var traces: [StoryStage.Trace] = []
    for stretch in story.stretches {
      let keys = inHangul ? stretch.keys.map { $0.inHangul(typing: stretch.keys) } : stretch.keys
      await stage.type(keys, atOnce: atOnce)
      traces.append(await stage.trace())
      try await stretch.answer(stage)
      await stage.stage.rest()
      traces.append(await stage.trace())
    }
    return traces
  }

  @Test(arguments: SellingStory.allCases, [false, true])
  func `what is typed at once and key by key leaves the same`(
    story: SellingStory, inHangul: Bool
  ) async throws {
    // What goes for good is answered in the Latin layout alone.
    let inHangul = inHangul && story != .deletion
    let slow = try await traces(of: story, atOnce: false, inHangul: inHangul)
    let quick = try await traces(of: story, atOnce: true, inHangul: inHangul)

    expect(quick.count, slow.count)
    for (quick, slow) in zip(quick, slow) { expect(quick, slow) }
  }

  /// What begins nothing that takes its time.
  private static let many = (0..<40).flatMap { _ -> [KeyPress] in ["j", .down, "k", .right, "j"] }
  private nonisolated static let screens = SellingScreen.allCases.filter {
    // What is read or opened behind these has an end of its own.
    ![.photoPath, .picker, .drafts].contains($0)
  }

  @Test(arguments: screens, [KeyPress.enter, .escape])
  func `two hundred keys behind an answer act as if they were typed slowly`(
    screen: SellingScreen, answer: KeyPress
  ) async throws {
    let (slow, quick) = (try await screen.stage(), try await screen.stage())

    for key in [answer] + Self.many {
      slow.press(key)
      await slow.settle()
    }
    quick.type(([answer] + Self.many).map(InputEvent.key))
    await quick.rest()

    expect(quick.lines(80, 24), slow.lines(80, 24))
    expect(quick.repository.updates.callCount, slow.repository.updates.callCount)
  }

  @Test func `two hundred keys while something is sent change nothing`() async throws {
    let stage = try await StoryStage()
    for stretch in SellingStory.edit.stretches.prefix(2) {
      await stage.type(stretch.keys, atOnce: true)
      try await stretch.answer(stage)
    }
    await stage.type(["!", .control("s"), .enter], atOnce: true)
    let before = await stage.trace()

    await stage.type(Self.many + ["y", "n", "x", .enter, .tab], atOnce: true)

    #expect(stage.top is SendingModel)
    await expect(stage.trace(), before)
    try await stage.update().answer(.sample(of: .sample(id: 7, name: "Bicycle!")))
    await until { !stage.isBusy }
    expect(stage.stage.browser.viewport.selected, 0)
  }
}

extension KeyPress {
  /// The key as a keyboard in Hangul mode sends a command; what is typed as text stays.
  fileprivate func inHangul(typing keys: [KeyPress]) -> KeyPress {
    guard self == keys.first, let letter = text else { return self }
    let jamo = (0x3131...0x3163).compactMap(Unicode.Scalar.init).map(Character.init)
    return jamo.first { HangulLayout.latinKeys(for: $0) == [letter] }.map { KeyPress($0) } ?? self
  }
}
