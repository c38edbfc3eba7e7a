import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// What is typed into menus and prompts in one write does what it does key by key.
struct TypedAnswersTests {
  nonisolated enum Story: CaseIterable {
    case orders, pictures, alert, savedSearch, favoriteNote, settingText, settingChoice, actions

    var keys: [KeyPress] {
      let typed =
        switch self {
        case .orders: ["o", "6", "5", "2", "o", .escape]
        case .pictures: ["P", "3"]
        // The first one is no amount.
        case .alert: ["t", .enter, "x", .enter, .backspace, "2", "0", "만", .enter]
        // The first one has no name.
        case .savedSearch: ["/", "m", .control("s"), .enter, "c", "u", "p", .enter, .escape]
        // Esc would leave the list while it is read, with all keys before it.
        case .favoriteNote: ["i", "n", "한", "글", .enter, "/", "한", .enter]
        case .settingText: [",", "j", "j", .enter, "3", "0", .enter, .escape]
        case .settingChoice: [",", .enter, "j", .enter, "u", .escape]
        case .actions: ["x", .escape, "x", "j", .enter]
        } as [KeyPress]
      // What follows is for the list.
      return typed + Array(repeating: "j", count: 200) + ["k", "k"]
    }
  }

  /// What is left of a story.
  private struct Outcome: Equatable {
    var screens: [[String]] = []
    var notes: [String] = []
    var query = ProductQuery()
  }

  private func outcome(of keys: [KeyPress], atOnce: Bool) async throws -> Outcome {
    let stage = Stage()
    let (personal, settings, program) = (PersonalFile.inMemory(), FakeSettings(), FakeProgram())
    let state = stage.navigator.program
    state.personal = personal
    state.settings = settings
    state.delegate = program
    state.alerts = AlertScheduler(
      Markets(stage.navigator), store: personal, attention: UserPresence(), clock: ManualClock())
    _ = await personal.add(
      .sample(id: 20), description: nil,
      of: FavoriteMarket(key: .local, name: nil, location: nil))
    try await stage.show(Product.samples((1...20).reversed()))
    _ = stage.lines(80, 24)
    await until { stage.navigator.isFavorite(Product.ID(rawValue: 20)) }

    if atOnce {
      stage.type(keys.map(InputEvent.key))
    } else {
      for key in keys {
        stage.press(key)
        await stage.rest()
        await personal.settle()
      }
    }
    for _ in 0..<3 {
      await stage.rest()
      await personal.settle()
    }

    var outcome = Outcome()
    for language in [Language.korean, .english] {
      // What was kept is said in the last row until the next key, which may have come before that.
      outcome.screens.append(stage.lines(80, 24, language).dropLast())
    }
    outcome.notes = [
      "\(await personal.alerts().map(\.condition))", "\(await personal.savedSearches())",
      "\(await personal.favoritesNow.map(\.note))", "\(settings.saved)", "\(state.pictureMode)",
      "\(program.openedLinks)",
    ]
    outcome.query = stage.browser.feed.query
    return outcome
  }

  @Test(arguments: Story.allCases)
  func `one write leaves what the same keys leave one by one`(story: Story) async throws {
    let slow = try await outcome(of: story.keys, atOnce: false)
    let fast = try await outcome(of: story.keys, atOnce: true)

    expect(fast, slow)
  }

  @Test(arguments: Story.allCases)
  func `keys of the Hangul layout do the same`(story: Story) async throws {
    // Text stays what it is: what is typed into a line has no other layout.
    guard [.orders, .actions].contains(story) else { return }
    let hangul: [KeyPress: KeyPress] = ["o": "ㅐ", "x": "ㅌ", "j": "ㅓ", "k": "ㅏ"]
    let keys = story.keys.map { hangul[$0] ?? $0 }

    try await expect(outcome(of: keys, atOnce: true), outcome(of: story.keys, atOnce: true))
  }
}
