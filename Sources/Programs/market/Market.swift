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

/// Entry point of `market`.
@main enum Market {
  static func main() {
    Password.excludeFromCoreDumps()
    LargeBlocks.returnWhenFreed()
    FirstPages.prefault()
    task_queue_install()
    let start = CommandLineWords(keepingBytesOf: "--photo")
    let words = start.words
    // `guest-key`, started by sshd, reads no settings, and a guest's variables are not trusted.
    if words.first == GuestKey.command, words.count == 4 {
      GuestKey.answer(Array(words.dropFirst()))
    }
    if words == [PhotoDecodingProcess.command] { PhotoDecodingProcess.run() }
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

  /// Completes a word for the shell; the server program completes its own.
  private static func complete(_ words: ArraySlice<String>, by table: MarketCommands.Table) {
    let strings = table.values(speakingAs: []).strings
    if words.first == "serve", words.count > 1 {
      ServerProgram.become([CompletionProtocol.command] + words.dropFirst(), strings)
    }
    Completer(table, strings).answer(words)
  }

  /// Runs the server program, in this program's language by default.
  static func serve(_ words: [String], _ strings: Strings) -> Never {
    ServerProgram.become(["--language", strings.language.rawValue] + words, strings)
  }

  /// Transfers the market; a database by the server program.
  static func move(_ request: TransferRequest, _ options: MarketOptions) -> Never {
    if let words = databaseWords(options) {
      ServerProgram.become(request.words + words, options.strings)
    }
    run { await StoreCommands(options).move(request) }
  }

  /// Arguments for the server program with a database; nil if the market is a file.
  private static func databaseWords(_ options: MarketOptions) -> [String]? {
    let language = ["--language", options.strings.language.rawValue]
    if let file = options.storeFile { return ["--store-file", file] + language }
    guard let path = options.storePath, case .database = StoreLocation(path) else { return nil }
    let openness = options.allowsOpenPassword ? ["--insecure-password-in-arguments"] : []
    return ["--store", path] + openness + language
  }

  /// Runs an operator command; on a database by the server program, which reads the secret from its
  /// standard input.
  static func operate(_ request: OperatorRequest, _ options: MarketOptions) -> Never {
    let strings = options.strings
    if let words = databaseWords(options) {
      ServerProgram.become(request.words + words, strings, reading: secret(for: request, strings))
    }
    run { await StoreCommands(options).operate(request) }
  }

  /// Asks for the secret of a command; nil for a command without one.
  static func secret(for request: OperatorRequest, _ strings: Strings) -> String? {
    guard let wanted = request.secret else { return nil }
    let line = HiddenInput.read(asking: strings[wanted.prompt])
    if let mistake = wanted.mistake(in: line ?? "", strings) {
      Console.fail(mistake, status: ExitStatus.failure)
    }
    return line
  }

  /// Runs the rest of the program on the main queue until it exits.
  ///
  /// Writes to a closed pipe or beyond the file size limit fail with an error instead of killing the
  /// program.
  static func run(_ body: @escaping () async -> Void) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    // Runs on this thread up to the first suspension, which is where a file is opened.
    Task.immediate { await body() }
    dispatchMain()
  }
}

/// Large blocks of memory, such as pictures.
nonisolated enum LargeBlocks {
  /// Makes freed blocks return to the system at once; call before there are threads.
  static func returnWhenFreed() { allocator_return_large_blocks() }
}

/// Memory pages that every start writes to.
nonisolated enum FirstPages {
  /// Maps the pages at once; call before there are threads.
  static func prefault() { allocator_bring_in_first_pages() }
}
