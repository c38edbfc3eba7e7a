import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeText
import TerminalKit

/// The run that shows the market on the screen.
struct Browsing {
  private let options: MarketOptions
  private let settings: Settings

  init(_ options: MarketOptions, _ settings: Settings) {
    self.options = options
    self.settings = settings
  }

  /// Opens the market and shows it until the user leaves.
  func start() async -> Never {
    let strings = options.strings
    let (source, failure) = await openMarket()
    let looks = LookFile(folder: Locations().state)
    let assembly = Assembly(
      source: source, options: options, settings: settings,
      remembered: LookBook(await looks.look(), store: looks))
    let file = SettingsFile(path: Locations().settings)
    if let notice = file.notice(of: settings.mistakes, strings) {
      assembly.markets.current.announce(.words(notice))
    }
    if let failure {
      let text = ErrorText.text(failure, strings)
      assembly.markets.current.announce(
        .words("✗ " + strings(.startMarketFailed, SafeText(options.server ?? ""), text)))
    }
    if !remembers(source) {
      assembly.markets.current.announce(.words(strings[.settingsNotWritten]))
    }
    do throws(TerminalError) {
      assembly.markets.current.start()
      let status = try await assembly.makeApp().run()
      await assembly.end()
      await assembly.close()
      exit(status)
    } catch {
      await assembly.close()
      Console.fail(error.text(strings), status: ExitStatus.failure)
    }
  }

  /// The market that is asked for; where the settings ask for one that cannot be opened, the local one
  /// with the reason.
  private func openMarket() async -> (MarketSource, RepositoryError?) {
    do throws(RepositoryError) {
      return (try await MarketSource.open(options, servers: settings.servers), nil)
    } catch {
      if let server = options.server, server == settings.options.server,
        let local = try? await MarketSource.open(localOptions, servers: [:])
      {
        return (local, error)
      }
      Console.fail(ErrorText.text(error, options.strings), status: ExitStatus.failure)
    }
  }

  private var localOptions: MarketOptions {
    var local = options
    local.server = nil
    return local
  }

  /// Keeps the server under the name that was asked for; false where that failed.
  private func remembers(_ source: MarketSource) -> Bool {
    guard let name = options.rememberedName, let address = source.address else { return true }
    let file = SettingsFile(path: Locations().settings)
    return (try? file.change(["servers", name], to: address)) != nil
  }
}

extension TerminalError {
  /// One sentence with what to do.
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notATerminal: strings[.terminalMissing]
    case .unnamedTerminal: strings[.terminalUnnamed]
    case .tooSimple: strings[.terminalTooSimple]
    case .unavailable: strings[.terminalUnavailable]
    }
  }
}

extension Phrase {
  static var startMarketFailed: Phrase { .named() }
}
