package import EditorKit
package import MarketModel
package import SafeTextKit

/// One line that is asked for; what is typed is the answer.
package final class PromptModel: Dialog, LineLayer {
  package let reply = Reply<String>()
  package let subject: Subject
  @Observed package private(set) var editor: LineEditor
  /// What came of what was typed, until that changes.
  @Observed package var outcome: Outcome?

  /// Learns what is typed, as it is typed.
  private let follow: (String) -> Void

  package enum Subject: Hashable, Sendable {
    /// Price below which an alert fires.
    case alertAmount(AlertTarget)
    case favoriteNote(of: SafeText)
    /// Words by which the favorites are narrowed.
    /// Name under which a line of search is kept.
    case searchName(line: String)
    /// Address or file of a further market.
    case marketAddress
    /// Name of a market, with what it answered where it becomes known by that.
    case marketName(KnownMarket, MarketSummary?)
    /// What all markets are searched for.
    case everywhere
    case setting(SettingRow, form: String)
    /// Name under which a draft is kept as a template.
    case templateName
    /// Name to sell under; `isChange` says whether it takes the place of an earlier one.
    case sellerName(isChange: Bool)
    case sellerContact
    /// What becomes of the price, or the stock, of several products.
    case bulkPrice, bulkStock

    /// Whether nothing is an answer, too.
    fileprivate var mayBeEmpty: Bool {
      switch self {
      case .alertAmount, .favoriteNote, .setting, .sellerContact, .bulkPrice,
        .bulkStock:
        true
      case .searchName, .marketAddress, .marketName, .everywhere, .templateName, .sellerName: false
      }
    }

    /// Characters at most.
    fileprivate var limit: Int {
      switch self {
      case .alertAmount, .bulkPrice, .bulkStock: 40
      case .searchName, .marketName, .templateName: 60
      case .everywhere: 200
      case .marketAddress, .setting: 1_000
      case .favoriteNote: FavoriteNoteRules.longest
      case .sellerName: TextLimit.sellerName.characters.upperBound
      case .sellerContact: TextLimit.contact.characters.upperBound
      }
    }
  }

  package enum Outcome: Hashable, Sendable {
    case noAmount(AmountError)
    /// One price was typed for products in all of these.
    case severalCurrencies([Currency])
    case noContact
    /// It can be neither the address nor the file of a market.
    case noMarket
    /// The market is asked.
    case asking(KnownMarket)
    /// There is no such file; the next key that confirms makes it.
    case missing(KnownMarket)
    case failed(RepositoryError)
  }

  init(_ subject: Subject, _ text: String = "", follow: @escaping (String) -> Void = { _ in }) {
    self.subject = subject
    self.follow = follow
    editor = LineEditor(text, limit: subject.limit)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    let isAsking = isAsking
    if outcome != nil { outcome = nil }
    if isAsking { reply.give(nil) }
    follow(editor.text)
  }

  /// Asks under which name a draft is kept as a template.
  static func templateName(_ name: String) -> PromptModel {
    PromptModel(.templateName, String(name.prefix(Subject.templateName.limit)))
  }

  /// Answers with what was typed; false where that is to be words, and is none.
  @discardableResult package func confirm() -> Bool {
    let text = subject.mayBeEmpty ? editor.text : editor.text.trimmed
    guard subject.mayBeEmpty || !text.isEmpty else { return false }
    reply.give(text)
    return true
  }

  package func cancel() { reply.give(nil) }

  private var isAsking: Bool { if case .asking = outcome { true } else { false } }
}

extension Flow {
  /// Asks for an amount until what is typed is one, and is not refused.
  func ask<Value>(
    _ prompt: PromptModel, reading read: (String) throws(AmountError) -> Value,
    refusing refuse: (Value) -> PromptModel.Outcome? = { _ in nil }
  ) async -> Value? {
    while let text = await present(prompt) {
      do throws(AmountError) {
        let value = try read(text)
        guard let refusal = refuse(value) else { return value }
        prompt.outcome = refusal
      } catch {
        prompt.outcome = .noAmount(error)
      }
    }
    return nil
  }
}
