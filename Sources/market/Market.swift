internal import CTaskQueue
import Dispatch
import Glibc
import MarketClient
import MarketModel
import MarketMoving
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeText
import StoreCore
import TerminalKit

/// The program that people run.
@main enum Market {
  static func main() {
    Password.keepOutOfCoreFiles()
    LargeBlocks.returnWhenFreed()
    task_queue_install()
    let words = Array(CommandLine.arguments.dropFirst())
    let settings = SettingsFile(path: Locations().settings).read()
    do throws(CommandLineError) {
      let invocation = try Invocation(words, defaults: settings.options)
      if invocation.tellsMistakes { tell(settings, words) }
      switch invocation {
      case .help(let options): Console.say(Usage.help(strings(options)))
      case .version: Console.say(Usage.version)
      case .serve(let words): serve(words, strings(settings.options))
      case .browse(let options): run { await browse(options, settings) }
      case .generate(let count, let options):
        run { await StoreCommands(options).generate(count) }
      case .doctor(let options): Console.say(Doctor(options, settings).report)
      case .move(let order, let options): move(order, options)
      case .operate(let order, let options): operate(order, options)
      case .list(let options):
        run { await ScriptCommands(options, servers: settings.servers).list() }
      case .show(let id, let options):
        run { await ScriptCommands(options, servers: settings.servers).show(id) }
      case .sell(let order, let options):
        run { await ScriptCommands(options, servers: settings.servers).sell(order) }
      case .showIdentity(let options):
        run { await IdentityCommands(options, servers: settings.servers).show() }
      case .enterIdentity(let options):
        run { await IdentityCommands(options, servers: settings.servers).enter() }
      case .manual: Console.say(Manual.page)
      case .completion: Console.say(Usage.completion)
      case .addSample(let options): run { await StoreCommands(options).addSample() }
      }
    } catch {
      Console.fail(
        error.text(strings(settings.options.speaking(as: words))), status: ExitStatus.usage)
    }
  }

  /// Says on standard error what is wrong with the settings; the run goes on with the rest of them.
  private static func tell(_ settings: Settings, _ words: [String]) {
    let strings = strings(settings.options.speaking(as: words))
    let file = SettingsFile(path: Locations().settings)
    for sentence in file.sentences(about: settings.mistakes, strings) { Console.warn(sentence) }
  }

  /// The server program speaks this one's language unless it is told another.
  private static func serve(_ words: [String], _ strings: Strings) -> Never {
    ServerProgram.become(["--language", strings.language.rawValue] + words, strings)
  }

  /// Only the server program knows databases.
  private static func move(_ order: MovingOrder, _ options: MarketOptions) -> Never {
    if let words = databaseWords(options) {
      ServerProgram.become(order.words + words, strings(options))
    }
    run { await StoreCommands(options).move(order) }
  }

  /// The words by which the server program is told its database; nil where the market is a file.
  private static func databaseWords(_ options: MarketOptions) -> [String]? {
    let language = ["--language", strings(options).language.rawValue]
    if let file = options.storeFile { return ["--store-file", file] + language }
    guard let path = options.storePath, case .database = MarketPlace(path) else { return nil }
    let openness = options.allowsOpenPassword ? ["--insecure-password-in-arguments"] : []
    return ["--store", path] + openness + language
  }

  /// Does what an operator orders; on a database by the server program, which gets the identifier
  /// by its standard input.
  private static func operate(_ order: OperatorOrder, _ options: MarketOptions) -> Never {
    let strings = strings(options)
    var identifier: SellerIdentifier?
    if case .setSeller = order {
      identifier = SecretLine.read(asking: strings[.identityPrompt])
        .flatMap(SellerIdentifier.init(entered:))
      guard identifier != nil else { Console.fail(strings[.identityUnreadable], status: 1) }
    }
    if let words = databaseWords(options) {
      ServerProgram.become(order.words + words, strings, reading: identifier?.secret)
    }
    run { await StoreCommands(options).operate(order, identifier) }
  }

  /// Runs the rest of the program on the main queue, which ends by `exit` alone.
  ///
  /// A write to a closed pipe or above the limit of file sizes fails with an error then, which is told
  /// as any other; by itself it would kill the program.
  private static func run(_ body: @escaping () async -> Void) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    Task { await body() }
    dispatchMain()
  }

  /// The texts in the language that was asked for, else in that of the locale (locale(7)).
  static func strings(_ options: MarketOptions) -> Strings {
    let language: Language =
      switch options.language {
      case .ko: .korean
      case .en: .english
      case .auto:
        Language(
          locale: ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(Environment.value).first ?? "")
      }
    return Strings(language)
  }

  private static func browse(_ options: MarketOptions, _ settings: Settings) async {
    let strings = strings(options)
    let source: MarketSource
    do throws(RepositoryError) {
      source = try await MarketSource.open(options, servers: settings.servers)
    } catch {
      Console.fail(ErrorText.text(error, strings), status: 1)
    }
    let assembly = Assembly(
      source: source, options: options, keys: settings.keys, strings: strings)
    let file = SettingsFile(path: Locations().settings)
    if let notice = file.notice(of: settings.mistakes, strings) {
      assembly.navigator.announce(.words(notice))
    }
    if !remembers(source, options) {
      assembly.navigator.announce(.words(strings[.settingsNotWritten]))
    }
    do throws(TerminalError) {
      assembly.navigator.browser.start()
      Task.immediate { await assembly.navigator.selling?.start() }
      let status = try await assembly.makeApp().run()
      await assembly.end()
      await source.close()
      exit(status)
    } catch {
      await source.close()
      Console.fail(error.text(strings), status: 1)
    }
  }

  /// Keeps the server under the name that was asked for; false where that failed.
  private static func remembers(_ source: MarketSource, _ options: MarketOptions) -> Bool {
    guard let name = options.rememberedName, let address = source.address else { return true }
    return SettingsFile(path: Locations().settings).remember(name, address)
  }
}
