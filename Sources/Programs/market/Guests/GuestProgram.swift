import CommandKit
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import Posix
import SafeTextKit

/// Program as sshd runs it for a guest: the full screen, or the requested command.
struct GuestProgram {
  static let command = "guest"

  /// Maximum seconds of a command; after them the process is killed (alarm(2)).
  private static let maxCommandSeconds: UInt32 = 300

  private let options: MarketOptions
  private let strings: Strings

  /// Creates the program with the host's options, which the guest's command cannot change.
  init(_ options: MarketOptions) {
    self.options = options
    strings = options.strings
  }

  func run() -> Never {
    do throws(GuestError) {
      // A sealed process starts none.
      let order = Environment.value(of: "SSH_ORIGINAL_COMMAND") ?? ""
      let decoder =
        order.contains(GuestPhotos.command) ? try? PhotoDecodingProcess() : nil
      let caller = try seal()
      let directory = try GuestDirectory(options.hosting)
      try directory.enter(caller)
      var guest = guest(caller, in: directory)
      guest.photoDecoder = decoder
      GuestEnvironment.keep(in: guest.folder)
      var options = options
      options.guest = guest
      options.reopens = false
      guard let command = caller.command else {
        Market.run { await BrowseCommand(options, Settings()).start() }
      }
      alarm(Self.maxCommandSeconds)
      try run(command, options)
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.failure)
    }
  }

  /// Enters the sandbox before any input of the guest is read.
  /// - Throws: `.notSetUp` without a market, `.notSealed` if the sandbox fails, else what
  ///   `SSHClientInfo.init` throws.
  private func seal() throws(GuestError) -> SSHClientInfo {
    if options.server == nil, options.storePath == nil {
      throw .notSetUp(missing: "--server URL")
    }
    do throws(SystemError) {
      try ProcessSandbox.makeNonDumpable()
      try ProcessSandbox.close(hasMarketFile: options.server == nil)
    } catch {
      throw .notSealed(error)
    }
    return try SSHClientInfo()
  }

  private func guest(_ caller: SSHClientInfo, in directory: GuestDirectory) -> Guest {
    let sshArguments = options.hosting.address ?? caller.sshArguments
    guard let key = caller.key else { return Guest(caller: caller, sshArguments: sshArguments) }
    return Guest(
      caller: caller, seller: directory.secret.seller(of: key),
      folder: directory.folder(of: key)?.folder,
      sentQuestions: directory.counter(of: caller.address), sshArguments: sshArguments)
  }

  /// Runs one of the commands available to guests.
  /// - Throws: `.refused` for other commands, `.needsKey`, `.notWords`.
  private func run(_ command: String, _ options: MarketOptions) throws(GuestError) -> Never {
    let table = MarketCommands(settings: Settings()).table.forGuests(defaults: options)
    let words = try words(of: command)
    // Unknown commands and commands not for guests get the same answer.
    let hasKey = options.guest?.seller != nil
    guard let command = table.commands.first(where: { words.starts(with: $0.path) }) else {
      throw .refused(others: Self.names(of: table.commands, toGuestsWithKey: hasKey))
    }
    if command.guestPermission == .withKey, !hasKey {
      throw .needsKey(sshArguments: options.guest?.sshArguments ?? "")
    }
    do throws(CommandLineError) {
      let invocation = try table.parse(words)
      guard invocation.values.namesNoFile else { throw .said(.guestNoFiles) }
      invocation.outcome()
      exit(0)
    } catch {
      Console.fail(error.text(strings), status: ExitStatus.usage)
    }
  }

  /// The commands that a guest may run.
  static func names(
    of commands: [MarketCommands.Command], toGuestsWithKey hasKey: Bool
  ) -> [String] {
    commands.filter { hasKey || $0.guestPermission != .withKey }.map(\.name)
  }

  /// Words of a command without a leading `market`.
  /// - Throws: `.notWords` for other shell syntax.
  private func words(of command: String) throws(GuestError) -> [String] {
    do throws(ShellWords.Mistake) {
      let words = try ShellWords(command).words
      return words.first == "market" ? Array(words.dropFirst()) : words
    } catch {
      throw .notWords
    }
  }
}

extension MarketOptions {
  /// Whether the options name no file, so that all input comes from the command and standard input.
  fileprivate var namesNoFile: Bool {
    selling.fromPath == nil || selling.fromPath == "-"
  }
}
