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

/// One run of a transfer command.
struct TransferRun {
  private let order: TransferRequest
  private let options: ServerOptions
  private let location: StoreLocation

  init(_ order: TransferRequest, _ options: ServerOptions, at location: StoreLocation) {
    self.order = order
    self.options = options
    self.location = location
  }

  /// Transfers the market; returns the exit status.
  func run() async -> Int32 {
    // Makes writes to a closed pipe or beyond the file size limit fail with an error.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    // Batches are read, prepared and written on threads of their own, which would each keep their memory.
    allocator_return_large_blocks()
    let strings = options.strings
    let (location, pictures) = (location, options.pictureStorageLocation)
    do throws(TransferError) {
      let command = TransferCommand(order, strings)
      let (fetcher, encoder) = (WebPhotoFetcher(), PhotoEncoder())
      let fetch: PhotoFetch = { address in
        guard let bytes = try? await fetcher.bytes(at: address) else { return nil }
        return try? await encoder.encode(bytes).bytes
      }
      let outcome = try await command.run(
        preparing: UploadPreparer(), fetching: fetch, now: Int64(time(nil))
      ) { () throws(RepositoryError) in try await location.open(pictures) }
      for sentence in outcome.sentences { Console.say(sentence) }
      return outcome.status
    } catch {
      Console.warn(text(of: error, strings))
      return 1
    }
  }

  private func text(of error: TransferError, _ strings: Strings) -> SafeText {
    guard case .database = location, case .market(let cause) = error else {
      return error.text(strings)
    }
    return location.sentence(on: cause, strings)
  }
}
