internal import TerminalKit

/// The keys of a seller, by what has the focus.
enum SellingKeys {
  /// A command with the keys that give it, the best known first.
  struct Binding {
    let command: Command
    let keys: [KeyPress]

    init(_ command: Command, _ keys: KeyPress...) {
      self.command = command
      self.keys = keys
    }
  }

  static func bindings(for focus: SellingFocus) -> [Binding] {
    switch focus {
    case .photos: photos + form + stepping
    case .line, .secret: form + stepping + [Binding(.nextField, .enter)]
    case .currency: [Binding(.openCurrency, .enter, " ")] + form + stepping
    case .description: [Binding(.openEditor, .control("e"))] + form
    case .password, .sellerName: answering
    case .photoPath:
      answering + [Binding(.complete, .tab), Binding(.browseFolders, .control("o"))]
    case .picker:
      [
        Binding(.choose, .enter, .right, "l"), Binding(.folderUp, .left, "h", .backspace),
      ] + moving + cancelling
    case .currencies: [Binding(.choose, .enter)] + moving + cancelling
    case .drafts:
      [Binding(.choose, .enter), Binding(.removeDraft, .delete, "D")] + moving + cancelling
    case .conflict:
      [Binding(.otherVersion, " ", .left, .right), Binding(.confirm, .enter)] + moving
        + cancelling
    case .sending: cancelling
    case .question:
      [
        Binding(.confirm, .enter), Binding(.yes, "y"), Binding(.no, "n"),
        Binding(.otherAnswer, .tab, .left, .right, .backTab, "h", "l"),
      ] + cancelling
    }
  }

  static func footer(for focus: SellingFocus) -> [Command] {
    switch focus {
    case .photos: [.addPhoto, .movePhotoLeft, .movePhotoRight, .removePhoto] + leaving
    case .line, .secret: leaving
    case .currency: [.openCurrency] + leaving
    case .description: [.submit, .nextField, .openEditor, .leaveForm]
    case .password, .sellerName: [.confirm, .cancel]
    case .photoPath: [.confirm, .complete, .browseFolders, .cancel]
    case .picker: [.choose, .folderUp, .cancel]
    case .currencies: [.choose, .cancel]
    case .drafts: [.choose, .removeDraft, .cancel]
    case .conflict: [.confirm, .otherVersion, .cancel]
    case .sending: [.cancel]
    case .question: [.confirm, .otherAnswer, .yes, .no, .cancel]
    }
  }

  private static let leaving: [Command] = [.submit, .nextField, .leaveForm]

  private static let form = [
    Binding(.submit, .control("s")),
    Binding(.nextField, .tab),
    Binding(.previousField, .backTab),
    Binding(.leaveForm, .escape, .control("c")),
    Binding(.help, .function(1)),
  ]

  private static let stepping = [Binding(.nextField, .down), Binding(.previousField, .up)]

  private static let photos = [
    Binding(.addPhoto, .enter, "a"),
    Binding(.previousPicture, .left, "h"),
    Binding(.nextPicture, .right, "l"),
    Binding(.movePhotoLeft, "<", KeyPress(.left, .shift)),
    Binding(.movePhotoRight, ">", KeyPress(.right, .shift)),
    Binding(.removePhoto, .delete, .backspace),
  ]

  private static let moving = [Binding(.up, .up, "k"), Binding(.down, .down, "j")]
  private static let cancelling = [Binding(.cancel, .escape, .control("c"))]
  private static let answering = [Binding(.confirm, .enter)] + cancelling
}
