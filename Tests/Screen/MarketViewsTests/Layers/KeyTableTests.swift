import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

/// The tables of keys, view by view.
struct KeyTableTests {
  /// All screens but those in which a row comes before one that other screens have on the same key.
  private nonisolated static let screens = PictureScreen.allCases.filter {
    ![.bulkDone, .favorites, .markedGrid, .settingChoice, .marketAway, .offline].contains($0)
  }

  private func rows(of screen: PictureScreen) async throws -> [KeyRow] {
    try await screen.market(in: .korean, PictureScreen.sizes[0]).stage.screen(80, 24).rows
  }

  @Test(arguments: screens)
  func `no key means two things`(screen: PictureScreen) async throws {
    let keys = try await rows(of: screen).flatMap(\.keys)

    #expect(!keys.isEmpty)
    expect(Set(keys).count, keys.count)
  }

  @Test(arguments: screens)
  func `no command is listed twice, and no two have the same place in the footer`(
    screen: PictureScreen
  ) async throws {
    let rows = try await rows(of: screen)

    let places = rows.compactMap(\.footer)
    expect(Set(rows.map(\.name)).count, rows.count)
    expect(Set(places).count, places.count)
    #expect(!places.isEmpty)
  }

  @Test(arguments: Screen.allCases)
  func `Ctrl-C leaves from everywhere`(screen: Screen) async throws {
    let stage = try await screen.stage()

    stage.press(.control("c"))

    #expect(stage.navigator.program.isQuitting)
  }

  @Test(arguments: PictureScreen.allCases)
  func `every table belongs to a view that can be reached from the products`(
    screen: PictureScreen
  ) async throws {
    let names = try await rows(of: screen).map(\.name)
    let known = ViewGraph.market.rows.map { Set($0.map(\.name)) }

    #expect(known.contains { $0.isSuperset(of: names) })
  }

  @Test func `every view is left by Ctrl-C`() {
    for rows in ViewGraph.market.rows {
      #expect(rows.contains { $0.keys.contains(.control("c")) })
    }
  }

  @Test func `keys of fields and questions are nobody's to change`() {
    let fixed = Set(ViewGraph.market.commands.map(\.name))
      .intersection(["confirm", "cancel", "yes", "no", "submit", "next-field", "leave-form"])

    #expect(fixed.isEmpty)
  }

  @Test(arguments: [
    ("back", [Phrase.keyBack]), ("toggle-view", [.keyShowGrid, .keyShowList]),
  ])
  func `a command is called what most views call it`(name: String, words: [Phrase]) throws {
    let command = try #require(ViewGraph.market.commands.first { $0.name == name })

    expect(Set(command.words), Set(words))
  }

  @Test func `each view is reached once`() {
    let views = ViewGraph.market.views.map(ObjectIdentifier.init)

    #expect(views.count >= 15)
    expect(Set(views).count, views.count)
  }

  @Test(arguments: Language.allCases)
  func `every row has words`(language: Language) {
    let strings = Strings(language)

    for row in ViewGraph.market.rows.flatMap(\.self) {
      #expect(strings.has(row.words) && strings.placeholders(row.words).isEmpty)
      #expect(!row.keys.isEmpty && row.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    }
  }

  @Test func `one name means one thing, and one thing has one name`() {
    var words: [String: Set<Phrase>] = [:]
    for row in ViewGraph.market.rows.flatMap(\.self) {
      words[row.name, default: []].insert(row.words)
    }
    let names = words.values.flatMap(\.self)

    let several: [String: Set<Phrase>] = [
      "back": [.keyBack, .keyShowAll], "toggle-view": [.keyShowGrid, .keyShowList],
      "submit": [.keySubmit, .answerSend, .keySend], "choose": [.keyChoose, .keySwitch],
      "my-products": [.keyMyProducts, .keyAllProducts], "sell": [.keyRegister, .keySellAnother],
      "open": [.keyOpen, .keyOpenRegistered, .keyShowWider],
      "actions": [.keyActions, .keyChangeMarked], "delete": [.keyDelete, .keyDeleteMarked],
      "confirm": [.keyConfirm, .keyMakeMarket, .keyAskMarket],
      "toggle-grouping": [.keyGroupMarkets, .keyMergeMarkets],
      "toggle-favorite": [
        .keyAddFavorite, .keyRemoveFavorite, .keyFollowSeller, .keyUnfollowSeller,
      ],
      "reserve": [.keyReserve, .keyEndReservation], "sold": [.keySold, .keyBackInStock],
      "show-password": [.keyShowPassword, .keyHidePassword],
      "side-by-side": [.keyCompareWithOther, .keyShowSideBySide, .keyStopComparing],
    ]
    expect(words.filter { $0.value.count > 1 }, several)
    expect(Set(names).count, names.count)
  }

  @Test(arguments: [
    ("ㅓ", "down"), ("ㅏ", "up"), ("ㅗ", "left"), ("ㅣ", "right"), ("ㅎ", "first"),
    ("ㅐ", "order"), ("ㄹ", "filter"), ("ㅍ", "toggle-view"), ("ㄱ", "refresh"), ("ㄲ", "retry"),
    ("ㅂ", "quit"), ("ㅠ", "page-up"),
  ])
  func `letters work while the keyboard is in Hangul mode`(jamo: String, name: String) async throws
  {
    let keys = jamo.flatMap { KeyPress($0).shortcuts }

    let rows = try await rows(of: .grid)

    expect(keys.flatMap { key in rows.filter { $0.keys.contains(key) } }.map(\.name), [name])
  }

  @Test func `what hangs on a capital has a second way in Hangul mode`() {
    // Of the letters with Shift the Hangul layout has but ㄲ ㄸ ㅃ ㅆ ㅉ ㅒ ㅖ; the others are the small
    // ones.
    let capitals = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ").subtracting(
      "ㄲㄸㅃㅆㅉㅒㅖ".flatMap { KeyPress($0).shortcuts.compactMap(\.text) })

    for row in ViewGraph.market.rows.flatMap(\.self) {
      let others = row.keys.filter { $0.text.map(capitals.contains) != true }
      #expect(!others.isEmpty, "\(row.name) has no key but \(row.keys)")
    }
  }

  @Test func `what goes for good is on no key that the Hangul layout has`() {
    let hangul = Set("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㅏㅑㅓㅕㅗㅛㅜㅠㅡㅣㅐㅔㄲㄸㅃㅆㅉㅒㅖ".flatMap { KeyPress($0).shortcuts })
    let rows = ViewGraph.market.rows.flatMap(\.self).filter(\.isDestructive)

    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { hangul.isDisjoint(with: $0.keys) })
  }

  @Test func `digits are no commands that could have other keys`() {
    #expect(ViewGraph.market.rows.flatMap(\.self).contains { $0.takesDigit })
    #expect(!ViewGraph.market.commands.contains { $0.name == "count" })
  }

  @Test func `a syllable is the keys that it was typed with`() async throws {
    let stage = try await Screen.list.stage()

    stage.press("터")

    expect(stage.navigator.stack.first(MenuModel.self)?.list.selectedNumber, 1)
  }
}
