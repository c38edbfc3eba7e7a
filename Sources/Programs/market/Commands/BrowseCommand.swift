import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import TerminalKit

/// Command that shows the market on the screen.
struct BrowseCommand {
  private let options: MarketOptions
  private let settings: Settings
  /// Product to open; nil if none was named.
  private let link: ProductAddress?
  private let stateFile = StateFile(folder: AppPaths().state)
  /// State of earlier runs.
  private let saved: StateFile.Content

  init(_ options: MarketOptions, _ settings: Settings, opening link: ProductAddress? = nil) {
    self.options = options
    self.settings = settings
    self.link = link
    saved = stateFile.content
  }

  /// Opens the market and shows it until the user leaves; exits.
  func start() async -> Never {
    let strings = options.strings
    guard waitForForeground() else {
      Console.fail(TerminalError.inBackground.text(strings), status: ExitStatus.failure)
    }
    let opening = Task.immediate { await openMarket() }
    // While another thread opens the file, the terminal is examined, without changes in case of an
    // error, and the key tables of the first frame are built.
    let environment = TerminalEnvironment.current()
    let screen = Result { () throws(TerminalError) in
      try TerminalScreen(environment, takesOver: false)
    }
    _ = BrowserView.bindings
    let start = await opening.value
    let source = start.source
    let assembly = CompositionRoot(
      source: source, options: options, settings: settings,
      remembered: ViewStateModel(viewState, store: stateFile), in: stateFile)
    let file = SettingsFile(path: AppPaths().settings)
    if let notice = file.notice(of: settings.mistakes, strings) {
      assembly.markets.current.announce(.words(notice))
    }
    if let (name, error) = start.failure {
      let text = ErrorText.text(error, strings)
      assembly.markets.current.announce(
        .words("✗ " + strings(.startMarketFailed, SafeText(name), text)))
    }
    Task.immediate {
      if await !remembers(source) {
        assembly.markets.current.announce(.words(strings[.settingsNotWritten]))
      }
    }
    do throws(TerminalError) {
      let screen = try screen.get()
      if options.reopens { assembly.markets.remember(saved.turned) }
      let navigator = assembly.markets.current
      navigator.start(at: start.navigationState, namingSeller: link == nil)
      if let link { navigator.follow(link) }
      let status = await assembly.makeApp(on: screen, in: environment).run()
      await assembly.end()
      await assembly.close()
      exit(status)
    } catch {
      await assembly.close()
      Console.fail(error.text(strings), status: ExitStatus.failure)
    }
  }

  /// Stops in the background, as after `market &`, until the shell gives the terminal; false where no
  /// shell would continue the program.
  private func waitForForeground() -> Bool {
    let job = ForegroundJob()
    while !job.isInForeground {
      guard ProcessGroup(leader: getpgrp()).hasShell else { return false }
      job.stop()
    }
    return true
  }

  /// Market at the start of a run.
  private struct Start {
    let source: MarketSource
    /// Navigation state to restore; nil for a fresh start.
    var navigationState: NavigationState?
    /// Market that could not be opened, with the reason; nil if none.
    var failure: (name: String, RepositoryError)?
  }

  /// Opens the requested market, else that of the last session.
  ///
  /// If the settings or the last session name a market that cannot be opened, opens the local one with
  /// the reason.
  private func openMarket() async -> Start {
    if let name = nameOfLinkedMarket { return await openLinked(name) }
    let sessionState = sessionState
    if let sessionState, options.server == nil, sessionState.market != .local {
      return await reopen(sessionState)
    }
    do throws(RepositoryError) {
      let source = try await MarketSource.open(options, servers: settings.servers)
      let isLast = sessionState.map { MarketSource.key(of: $0.market) } == source.key
      return Start(source: source, navigationState: isLast ? sessionState?.navigationState : nil)
    } catch {
      guard let server = options.server, server == settings.options.server else { fail(error) }
      return await openLocal(insteadOf: server, error)
    }
  }

  /// Name of the remembered market that the link leads to; nil if there is none, and then the user is
  /// asked after the usual start.
  private var nameOfLinkedMarket: String? {
    guard let link else { return nil }
    return settings.servers.sorted { $0.key < $1.key }.first { _, address in
      (try? MarketSource.address(address))?.withoutEnding == link.market
    }?.key
  }

  private func openLinked(_ name: String) async -> Start {
    var linked = options
    (linked.server, linked.storePath) = (name, nil)
    do throws(RepositoryError) {
      return Start(source: try await MarketSource.open(linked, servers: settings.servers))
    } catch {
      return await openLocal(insteadOf: name, error)
    }
  }

  private func reopen(_ sessionState: SessionState) async -> Start {
    do throws(RepositoryError) {
      return Start(
        source: try await MarketSource.open(sessionState, options),
        navigationState: sessionState.navigationState)
    } catch {
      return await openLocal(insteadOf: sessionState.name ?? sessionState.market.text ?? "", error)
    }
  }

  private func openLocal(insteadOf name: String, _ error: RepositoryError) async -> Start {
    guard let local = try? await MarketSource.open(localOptions, servers: [:]) else { fail(error) }
    return Start(source: local, failure: (name, error))
  }

  private func fail(_ error: RepositoryError) -> Never {
    Console.fail(
      options.sentence(on: error, servers: settings.servers), status: ExitStatus.failure)
  }

  /// State of the last session; nil if the options or settings request another start.
  private var sessionState: SessionState? {
    let namesMarket = options.storePath != nil || options.server != settings.options.server
    guard options.reopens, !options.isFresh, !namesMarket, var sessionState = saved.session else {
      return nil
    }
    // The name may stand for another market in the settings by now.
    if let name = sessionState.name,
      settings.servers[name].flatMap({ MarketLocation($0) }) != sessionState.market
    {
      sessionState.name = nil
    }
    return sessionState
  }

  /// Choices of earlier runs, among them the arrangement unless an option or setting names one.
  private var viewState: ViewState {
    var viewState = saved.viewState
    if let arrangement = options.arrangement { viewState.arrangement = arrangement }
    return viewState
  }

  private var localOptions: MarketOptions {
    var local = options
    local.server = nil
    return local
  }

  /// Saves the server under the requested name; false if that failed.
  private func remembers(_ source: MarketSource) async -> Bool {
    guard let name = options.rememberedName, let address = source.address else { return true }
    let file = SettingsFile(path: AppPaths().settings)
    return (try? await file.change(["servers", name], to: address)) != nil
  }
}

extension TerminalError {
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notATerminal: strings[.terminalMissing]
    case .inBackground: strings[.terminalInBackground]
    case .unnamedTerminal: strings[.terminalUnnamed]
    case .tooSimple: strings[.terminalTooSimple]
    case .unavailable: strings[.terminalUnavailable]
    }
  }
}
