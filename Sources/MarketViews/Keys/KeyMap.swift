package import TerminalKit

/// Which keys mean what, by what has the focus: the one list that keys, footer and help are made of.
package enum KeyMap {
  /// A command with the keys that give it, the best known first.
  package struct Binding: Hashable, Sendable {
    package let command: Command
    package let keys: [KeyPress]

    init(_ command: Command, _ keys: KeyPress...) { self.init(command, keys) }

    init(_ command: Command, _ keys: [KeyPress]) {
      self.command = command
      self.keys = keys
    }
  }

  /// The bindings of a focus with somebody's own keys, in the order of the help.
  package static func bindings(for focus: Focus, _ changes: KeyChanges) -> [Binding] {
    changes.applied(to: bindings(for: focus), in: focus)
  }

  /// The bindings of a focus as they are unless somebody changes them.
  package static func bindings(for focus: Focus) -> [Binding] {
    switch focus {
    case .grid: [opening] + browsing + copying + selling + sideways + moving + general + leaving
    case .list: [opening] + browsing + copying + selling + moving + general + leaving
    case .shelf: SellingKeys.shelf + browsing + selling + moving + general + leaving
    case .detail:
      detail + PictureKeys.detail + copying + selling + paging + general + [quitting]
    case .search: [Binding(.confirm, .enter), Binding(.cancel, .escape), quitting]
    case .menu: menu + [quitting]
    case .help: help + [quitting]
    case .picture: PictureKeys.whole + general + [quitting]
    case .selling(let focus): SellingKeys.bindings(for: focus)
    }
  }

  /// The commands that the footer shows, the most useful first.
  package static func footer(for focus: Focus) -> [Command] {
    switch focus {
    case .grid, .list:
      [.retry, .open, .back, .search, .order, .toggleArrangement, .register, .help, .quit]
    case .shelf: [.open, .removeDraft, .mine, .toggleArrangement, .register, .help, .quit]
    case .detail:
      [.back, .previousPicture, .nextPicture, .enlarge, .nextProduct, .edit, .delete, .help]
    case .search: [.confirm, .cancel]
    case .menu: [.choose, .back]
    case .help: [.choose, .back]
    case .picture:
      [.back, .previousPicture, .nextPicture, .savePicture, .openPicture]
    case .selling(let focus): SellingKeys.footer(for: focus)
    }
  }

  /// The command that a key gives to what has the focus.
  package static func command(
    for key: KeyPress, in focus: Focus, _ changes: KeyChanges = KeyChanges()
  ) -> Command? {
    bindings(for: focus, changes).first { $0.keys.contains(key) }?.command
  }

  private static let selling = [SellingKeys.registering] + SellingKeys.beginning

  private static let opening = Binding(.open, .enter)

  private static let browsing = [
    Binding(.search, "/"),
    Binding(.order, "o"),
    Binding(.filter, "f"),
    Binding(.toggleArrangement, "v"),
    Binding(.refresh, "r", .control("r"), .function(5)),
    Binding(.retry, "R"),
    Binding(.back, .escape),
  ]

  private static let copying = [Binding(.copy, "y")]

  private static let sideways = [
    Binding(.left, .left, "h"),
    Binding(.right, .right, "l"),
  ]

  private static let moving =
    [
      Binding(.up, .up, "k", .control("p")),
      Binding(.down, .down, "j", .control("n")),
    ] + paging

  private static let paging = [
    Binding(.halfPageDown, .control("d")),
    Binding(.halfPageUp, .control("u")),
    Binding(.pageDown, .pageDown, " ", .control("f")),
    Binding(.pageUp, .pageUp, "b", .control("b")),
    Binding(.first, .home, "g"),
    Binding(.last, .end, "G"),
  ]

  private static let detail = [
    Binding(.back, .escape, "q", .backspace),
    Binding(.previousPicture, .left, "h"),
    Binding(.nextPicture, .right, "l"),
    Binding(.previousProduct, "K", "["),
    Binding(.nextProduct, "J", "]"),
    Binding(.up, .up, "k"),
    Binding(.down, .down, "j"),
    Binding(.retry, "R", "r"),
  ]

  private static let menu = [
    Binding(.choose, .enter, " "),
    Binding(.back, .escape, "q"),
    Binding(.up, .up, "k", .control("p")),
    Binding(.down, .down, "j", .control("n")),
    Binding(.first, .home, "g"),
    Binding(.last, .end, "G"),
  ]

  /// Letters are the filter's here.
  private static let help = [
    Binding(.choose, .enter),
    Binding(.back, .escape),
    Binding(.up, .up, .control("p")),
    Binding(.down, .down, .control("n")),
    Binding(.pageUp, .pageUp),
    Binding(.pageDown, .pageDown),
  ]

  private static let general = [
    PictureKeys.choosing,
    Binding(.toggleMouse, "M"),
    Binding(.help, "?", .function(1)),
  ]

  private static let leaving = [Binding(.quit, "q", .control("c"))]
  /// Where `q` goes back.
  private static let quitting = Binding(.quit, .control("c"))
}
