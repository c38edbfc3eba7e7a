internal import CAllocator
internal import CTaskQueue
import CommandKit
import Dispatch
import Glibc
import MarketModel
import MarketStrings
import MarketTransfer
import Posix
import SafeTextKit
import StoreCore

/// The program that people run.
@main enum Market {
  static func main() {
    Password.excludeFromCoreDumps()
    LargeBlocks.returnWhenFreed()
    FirstPages.prefault()
    task_queue_install()
    let start = CommandLineWords(keepingBytesOf: "--photo")
    let words = start.words
    // What sshd starts looks at no settings, and a guest's variables are not to be trusted.
    if words.first == GuestKey.command, words.count == 4 {
      GuestKey.answer(Array(words.dropFirst()))
    }
    let isForGuest = words.first == GuestProgram.command
    if isForGuest { GuestEnvironment.reduce() }
    let settings =
      isForGuest ? Settings() : SettingsFile(path: AppPaths().settings).read()
    let table = MarketCommands(settings: settings).table
    if words.first == CompletionProtocol.command { return complete(words.dropFirst(), by: table) }
    do throws(CommandLineError) {
      try table.parse(start).outcome()
    } catch {
      Console.fail(error.text(table.values(speakingAs: words).strings), status: ExitStatus.usage)
    }
  }

  /// Answers a shell that completes a word; the server program answers for its own.
  private static func complete(_ words: ArraySlice<String>, by table: MarketCommands.Table) {
    let strings = table.values(speakingAs: []).strings
    if words.first == "serve", words.count > 1 {
      ServerProgram.become([CompletionProtocol.command] + words.dropFirst(), strings)
    }
    Completer(table, strings).answer(words)
  }

  /// The server program speaks this one's language unless it is told another.
  static func serve(_ words: [String], _ strings: Strings) -> Never {
    ServerProgram.become(["--language", strings.language.rawValue] + words, strings)
  }

  /// Only the server program knows databases.
  static func move(_ order: TransferRequest, _ options: MarketOptions) -> Never {
    if let words = databaseWords(options) {
      ServerProgram.become(order.words + words, options.strings)
    }
    run { await StoreCommands(options).move(order) }
  }

  /// The words by which the server program is told its database; nil where the market is a file.
  private static func databaseWords(_ options: MarketOptions) -> [String]? {
    let language = ["--language", options.strings.language.rawValue]
    if let file = options.storeFile { return ["--store-file", file] + language }
    guard let path = options.storePath, case .database = StoreLocation(path) else { return nil }
    let openness = options.allowsOpenPassword ? ["--insecure-password-in-arguments"] : []
    return ["--store", path] + openness + language
  }

  /// Does what an operator orders; on a database by the server program, which gets the secret by its
  /// standard input.
  static func operate(_ order: OperatorRequest, _ options: MarketOptions) -> Never {
    let strings = options.strings
    if let words = databaseWords(options) {
      ServerProgram.become(order.words + words, strings, reading: secret(for: order, strings))
    }
    run { await StoreCommands(options).operate(order) }
  }

  /// Asks for the secret of an order; nil for an order without one.
  static func secret(for order: OperatorRequest, _ strings: Strings) -> String? {
    guard let wanted = order.secret else { return nil }
    let line = HiddenInput.read(asking: strings[wanted.prompt])
    if let mistake = wanted.mistake(in: line ?? "", strings) {
      Console.fail(mistake, status: ExitStatus.failure)
    }
    return line
  }

  /// Runs the rest of the program on the main queue, which ends by `exit` alone.
  ///
  /// A write to a closed pipe or above the limit of file sizes fails with an error then, which is told
  /// as any other; by itself it would kill the program.
  static func run(_ body: @escaping () async -> Void) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    // On this thread as far as it comes without waiting, which is to where a file is opened.
    Task.immediate { await body() }
    dispatchMain()
  }
}

/// Large blocks of memory, such as pictures.
nonisolated enum LargeBlocks {
  /// Makes them go back to the system as soon as nothing holds them; before there are threads.
  static func returnWhenFreed() { allocator_return_large_blocks() }
}

/// The memory that every start writes to.
nonisolated enum FirstPages {
  /// Has it brought in at once; before there are threads.
  static func prefault() { allocator_bring_in_first_pages() }
}
