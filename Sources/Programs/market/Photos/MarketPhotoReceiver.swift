import MarketClient
import MarketModel
import MarketStrings
import MarketViewModels
import SafeTextKit
import StoreCore

/// Pages for a telephone's photos: of the market's server where it has them, else of this machine.
nonisolated struct MarketPhotoReceiver: PhotoReceiver {
  /// Connection to the market's server; nil for a file.
  let server: ServerConnection?
  let repository: any ProductRepository
  let accounts: any SellerAccountStore
  /// Pages of this machine; nil for a guest.
  let local: LocalPhotoReceiver?
  /// Command by which a guest sends photos; nil for other users.
  let command: SafeText?

  func routes() async -> PhotoRoutes {
    if server != nil, (try? await repository.capabilities())?.takesUploads == true {
      return PhotoRoutes([.server])
    }
    if let local { return await local.routes() }
    return PhotoRoutes(obstacle: command.map { .command($0) } ?? .noProgram)
  }

  func open(_ route: PhotoRoutes.Route) -> PhotoReception {
    if case .local = route, let local { return local.open(route) }
    let (events, continuation) = AsyncStream<ReceiverEvent>.makeStream()
    let (commands, sending) = AsyncStream<ReceiverCommand>.makeStream()
    let work = Task {
      await receive(commands) { continuation.yield($0) }
      continuation.finish()
    }
    return PhotoReception(events: events) {
      sending.yield($0)
    } close: {
      work.cancel()
    }
  }

  /// Maximum number of requests in a row that fail while the page stays open.
  private static let maxFailures = 20
  private static let pause = Duration.seconds(1)

  /// Receives photos of a server's page until the task is cancelled or the page is closed.
  private func receive(
    _ commands: AsyncStream<ReceiverCommand>, tell: @escaping @Sendable (ReceiverEvent) -> Void
  ) async {
    guard let server, let owner = await accounts.account()?.identifier else {
      return tell(.refused(.cancelled))
    }
    let page: UploadPageClient
    do throws(RepositoryError) {
      page = try await UploadPageClient(over: server, by: owner)
    } catch {
      return tell(.refused(error))
    }
    tell(.opened(address: Self.capitals(of: page.address), port: nil))
    let ending = Task {
      for await case .took(let photo, let isTaken) in commands {
        try? await page.end(Int64(photo), isTaken: isTaken)
      }
    }
    var (last, failures) = (Int64(0), 0)
    while !Task.isCancelled, failures < Self.maxFailures {
      do throws(RepositoryError) {
        for photo in try await page.waiting(after: last) {
          let bytes = try await page.bytes(of: photo.id)
          tell(.photo(Int(photo.id), UploadedPhoto(name: photo.name, bytes: bytes)))
          last = photo.id
        }
        failures = 0
      } catch {
        if error == .notFound { break }
        failures += 1
      }
      try? await Task.sleep(for: Self.pause)
    }
    // The last answers to the telephone leave before the page does, which closes also without them.
    ending.cancel()
    await Task.detached { try? await page.close() }.value
  }

  /// Address with scheme and host in capitals, which a code writes in less room.
  private static func capitals(of address: WebAddress) -> String {
    address.origin.text.uppercased() + address.target
  }
}
