import Expectations
import TerminalTestSupport
import TestSupport
import Testing

/// Seller who uses the keyboard alone, on any market, in English.
struct KeyboardSeller {
  let session: TerminalSession
  let program: MarketProgram
  let kind: MarketKind

  /// With letters of several bytes, to be looked for in everything that is written.
  static let password = "p4ss-사과나무"
  static let name = "Road bike"
  private static let nameLabel = "Seller name"

  func type(_ keys: String) { session.type(KeyScript(keys)) }

  func wait(_ text: String) throws(TerminalSessionError) { try session.wait(forText: text) }

  /// Opens the form and fills everything in, with photos given in every way there is.
  func fillIn(photos: Int = 1) throws {
    for (index, fixture) in ["baseline.jpg", "grey.jpg", "cmyk.jpg"].prefix(photos).enumerated() {
      try program.addPhoto("photo \(index + 1).jpg", fixture: fixture)
    }
    type("n")
    try wait("0/5")
    let paths = [
      #"~/photo\ 1.jpg"#, "'~/photo 2.jpg'", "file://\(program.path(of: "photo%203.jpg"))",
    ]
    type("<Enter>" + paths.prefix(photos).joined(separator: " ") + "<Enter>")
    try wait("\(photos)/5")
    try wait(" B")
    // What not all markets have is left as it is.
    let further = session.screen.contains("Category") ? "<Tab><Tab><Tab>" : ""
    type("<Tab>\(Self.name)<Tab><Tab>₩240000<Tab>30000<Tab><Tab>")
    type(further + "Ridden to work for a year.<Tab>")
    if session.screen.contains(Self.nameLabel) { introduce() }
    typeNewPassword()
  }

  /// Types the password of a new product and repeats it.
  func typeNewPassword(_ password: String = Self.password) { type(password + "<Tab>" + password) }

  /// Submits the form; the question whether to register is on the screen then.
  func ask() throws {
    type("<C-s>")
    try wait("List it on")
  }

  /// Fills in the seller's name and contact, and goes on to the password.
  private func introduce() { type("Hana<Tab>010-1234-5678<Tab>") }

  /// Submits the form and says yes; a second press must not send twice.
  func submit() throws {
    try ask()
    type("<Enter><Enter>")
  }

  /// Registers a product, whose detail is on the screen then.
  func register(photos: Int = 1) throws {
    try fillIn(photos: photos)
    try ask()
    type("<Enter>")
    try wait("Listed: \(Self.name)")
    try wait("Ridden to work for a year.")
  }

  func give(_ password: String = Self.password) { type(password + "<Enter>") }

  /// Gives the right password to the prompt that opens.
  func answerPrompt() throws {
    try wait("Password")
    give()
  }

  /// Opens the selected product's form.
  func beginEdit() throws {
    type("e")
    try answerPrompt()
    try wait("^S Save")
  }

  /// Appends to the name, whose field has the focus, and sends that.
  func append(_ text: String) throws {
    type(text + "<C-s>")
    try wait("Save on")
    type("<Enter>")
  }

  /// Lists products by keys and marks them all.
  func registerAndMark(_ count: Int) throws {
    for _ in 1...count {
      try register()
      type("<BS>")
      try session.wait(for: "the list") { !$0.contains("Listed") }
    }
    try markOwn(count)
  }

  /// Marks all of the own products.
  func markOwn(_ count: Int) throws {
    type("m")
    // Each of them as the market has it, and not as it was seen before.
    try session.wait(for: "the own products alone") { screen in
      screen.contains("mine ×") && !screen.contains("Ware") && !screen.contains("seen ")
        && screen.lines.count { $0.contains(Self.name) } == count
    }
    type("V")
    try wait("\(count) marked")
  }

  /// Tries again what of several did not come through, after its question.
  func tryAgain(_ question: String) throws {
    type("R")
    try wait(question)
    type("y")
  }

  /// Takes the latest edit back, after the password where that is asked for.
  func undo(givingPassword isAsked: Bool = true) throws {
    type("u")
    if isAsked { try answerPrompt() }
    try wait("Restore")
    type("<Enter>")
    try wait("Edit undone")
  }

  /// Quits; the password is in nothing that was shown or left behind.
  func quitWithoutTrace() throws {
    type("q")
    _ = try session.waitForExit()
    let secret = Array(Self.password.utf8)
    expect(session.output.firstRange(of: secret), nil)
    #expect(try program.files().allSatisfy { $0.bytes.firstRange(of: secret) == nil })
  }
}
