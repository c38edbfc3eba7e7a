internal import CAllocator
import CommandKit
import Glibc
import MarketClient
import MarketModel
import MarketStrings
import MarketTransfer
import PictureKit
import SafeTextKit
import StoreCore

/// One run of an operator or transfer command on a market.
struct StoreCommandRun {
  let options: ServerOptions
  let location: StoreLocation
  private var strings: Strings { options.strings }

  /// Checks the options of the market's location.
  /// - Throws: what `checkPictures()` and `location()` of the options throw.
  init(_ options: ServerOptions) throws(CommandLineError) {
    try options.checkPictures()
    (self.options, location) = (options, try options.location())
  }

  /// Makes writes to a closed pipe or beyond the file size limit fail with an error.
  private func ignoreWriteSignals() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Runs an operator command; returns its exit status.
  func operate(_ request: OperatorRequest) async -> Int32 {
    ignoreWriteSignals()
    var secret: String?
    if let wanted = request.secret {
      // Only `market` can hide typed input.
      guard isatty(STDIN_FILENO) == 0 else { return Self.fail(wanted.needsPipe(strings)) }
      let line = Console.readLine() ?? ""
      if let mistake = wanted.mistake(in: line, strings) { return Self.fail(mistake) }
      secret = line
    }
    do throws(RepositoryError) {
      let outcome = try await OperatorCommand(request, strings).run(
        on: try await location.open(options.pictureStorageLocation), secret: secret)
      for sentence in outcome.sentences { Console.say(sentence) }
      for errorMessage in outcome.complaints { Console.warn(errorMessage) }
      return outcome.status
    } catch {
      return Self.fail(location.sentence(on: error, strings))
    }
  }

  /// Transfers the market; returns the exit status.
  func transfer(_ request: TransferRequest) async -> Int32 {
    ignoreWriteSignals()
    // Batches are read, prepared and written on threads of their own, which would each keep their memory.
    allocator_return_large_blocks()
    let (location, pictures) = (location, options.pictureStorageLocation)
    do throws(TransferError) {
      let command = TransferCommand(request, strings)
      let (fetcher, encoder) = (WebPhotoFetcher(), PhotoEncoder())
      let fetch: PhotoFetch = { address in
        guard let bytes = try? await fetcher.bytes(at: address) else { return nil }
        return try? await encoder.encode(bytes).bytes
      }
      let outcome = try await command.run(
        preparing: UploadPreparer(), fetching: fetch, now: Int64(time(nil))
      ) {
        () throws(RepositoryError) in try await location.open(pictures)
      }
      for sentence in outcome.sentences { Console.say(sentence) }
      return outcome.status
    } catch {
      guard case .database = location, case .market(let cause) = error else {
        return Self.fail(error.text(strings))
      }
      return Self.fail(location.sentence(on: cause, strings))
    }
  }

  private static func fail(_ sentence: SafeText) -> Int32 {
    Console.warn(sentence)
    return ExitStatus.failure
  }
}
