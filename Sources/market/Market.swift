internal import CTaskQueue
import Dispatch
import Glibc
import MarketClient
import MarketModel
import MarketViewModels
import MarketViews
import SafeText
import TerminalKit

/// The program that people run.
@main enum Market {
  static func main() {
    task_queue_install()
    let words = Array(CommandLine.arguments.dropFirst())
    let settings = SettingsFile(path: Locations().settings).read()
    do throws(CommandLineError) {
      switch try Invocation(words, defaults: settings.options) {
      case .help(let options): print(Usage.help(strings(options)))
      case .version: print(Usage.version)
      case .serve(let words): ServerProgram.become(words, strings(settings.options))
      case .browse(let options): run { await browse(options, settings) }
      case .generate(let count, let options):
        run { await StoreCommands(options).generate(count) }
      case .doctor(let options): print(Doctor(options, settings).report)
      case .importProducts(let path, let options):
        run { await MovingCommands(options).importProducts(from: path) }
      case .exportProducts(let path, let options):
        run { await MovingCommands(options).exportProducts(to: path) }
      case .backUp(let path, let options):
        run { await MovingCommands(options).backUp(to: path) }
      case .addSample(let options): run { await StoreCommands(options).addSample() }
      }
    } catch {
      Console.fail(error.text(strings(settings.options)), status: 2)
    }
  }

  /// Runs the rest of the program on the main queue, which ends by `exit` alone.
  ///
  /// A write to a closed pipe or above the limit of file sizes fails with an error then, which is told
  /// as any other; by itself it would kill the program.
  private static func run(_ body: @escaping () async -> Void) {
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
          locale: ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(Locations.environment).first ?? "")
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
    let assembly = Assembly(source: source, options: options, strings: strings)
    if let mistake = settings.mistakes.first {
      assembly.navigator.announce(.words(mistake.text(strings)))
    }
    do throws(TerminalError) {
      assembly.navigator.browser.start()
      Task.immediate { await assembly.navigator.selling?.start() }
      exit(try await assembly.makeApp().run())
    } catch {
      Console.fail(error.text(strings), status: 1)
    }
  }
}
