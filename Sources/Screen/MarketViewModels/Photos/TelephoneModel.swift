package import MarketModel

/// Photos from a telephone: a page is open as long as this layer is, and what it receives is added to the
/// form.
package final class TelephoneModel: Dialog {
  package enum Phase: Hashable, Sendable {
    case preparing
    /// One of several routes is to be chosen, or a caution confirmed.
    case choosing(PhotoRoutes, selected: Int)
    case open(Page)
    /// There is no page, for this reason.
    case impossible(PhotoRoutes.Obstacle)
    case closed(Ending)
  }

  /// Reason why a page is closed.
  package enum Ending: Hashable, Sendable {
    /// Its time is over.
    case over
    /// The system's words.
    case failed(String)
    case refused(RepositoryError)
  }

  /// Open page.
  package struct Page: Hashable, Sendable {
    package let address: String
    /// Port of this machine; nil for a page of a server.
    package let port: UInt16?
    package internal(set) var minutesLeft = UploadLimits.minutes
    package internal(set) var hasVisitor = false
    /// Whether no telephone has come for a minute.
    package internal(set) var mayBeBlocked = false
  }

  /// Request that is being received.
  package struct Upload: Hashable, Sendable {
    package let number: Int
    /// Name of the photo; empty if unknown.
    package let name: String
    package let percent: Int
  }

  package let reply = Reply<Never>()
  @Observed package private(set) var phase = Phase.preparing
  @Observed package private(set) var uploads: [Upload] = []
  /// Telephones that ask whether they may send photos.
  @Observed package private(set) var asking: [Int] = []
  package let form: FormModel

  private let receiver: any PhotoReceiver
  private let clock: any Clock<Duration>
  private var work: Task<Void, Never>?
  private var reception: PhotoReception?

  init(for form: FormModel, from receiver: any PhotoReceiver, clock: any Clock<Duration>) {
    (self.form, self.receiver, self.clock) = (form, receiver, clock)
    work = Task.immediate { [weak self] in await self?.prepare() }
  }

  package func didClose() {
    work?.cancel()
    reception?.close()
  }

  /// Closes the layer and the page.
  package func cancel() { reply.give(nil) }

  private func prepare() async {
    let routes = await receiver.routes()
    guard !Task.isCancelled else { return }
    if let obstacle = routes.obstacle {
      phase = .impossible(obstacle)
    } else if routes.caution == nil, routes.hasOneLikely, let first = routes.routes.first {
      await receive(by: first)
    } else {
      phase = .choosing(routes, selected: 0)
    }
  }

  package func move(by distance: Int) {
    guard case .choosing(let routes, let selected) = phase else {
      return form.movePhotoSelection(by: distance)
    }
    let last = routes.routes.count - 1
    phase = .choosing(routes, selected: (selected + distance).clamped(to: 0...max(0, last)))
  }

  /// `Enter`: opens the page by the selected route; closes the layer once it is open.
  package func choose() {
    guard case .choosing(let routes, let selected) = phase,
      routes.routes.indices.contains(selected)
    else { return cancel() }
    let route = routes.routes[selected]
    phase = .preparing
    work = Task.immediate { [weak self] in await self?.receive(by: route) }
  }

  /// Admits the telephone that has asked first, or refuses it.
  package func answer(_ isAdmitted: Bool) {
    guard !asking.isEmpty else { return }
    reception?.send(.admit(device: asking.removeFirst(), isAdmitted))
  }

  // MARK: Page

  private func receive(by route: PhotoRoutes.Route) async {
    let reception = receiver.open(route)
    self.reception = reception
    let timer = Task.immediate { [weak self, clock] in
      while (try? await clock.sleep(for: .seconds(60))) != nil, self?.didPassMinute() == true {}
    }
    defer { timer.cancel() }
    for await event in reception.events {
      guard !Task.isCancelled else { return }
      take(event)
    }
    guard !Task.isCancelled else { return }
    uploads = []
    asking = []
    switch phase {
    // The receiver knows by now that the server has no pages.
    case .closed(.refused(.unsupported)) where route == .server: await prepare()
    case .closed: break
    default: phase = .closed(.over)
    }
  }

  /// Counts a minute of an open page; false if it is closed.
  private func didPassMinute() -> Bool {
    guard case .open(var page) = phase else { return phase == .preparing }
    page.minutesLeft = max(1, page.minutesLeft - 1)
    page.mayBeBlocked = !page.hasVisitor && page.port != nil
    phase = .open(page)
    return true
  }

  private func take(_ event: ReceiverEvent) {
    switch event {
    case .opened(let address, let port): phase = .open(Page(address: address, port: port))
    case .failed(let reason): phase = .closed(.failed(reason))
    case .refused(let error): phase = .closed(.refused(error))
    case .visited: updatePage { ($0.hasVisitor, $0.mayBeBlocked) = (true, false) }
    case .asked(let device): asking.append(device)
    case .progress(let number, let name, let percent):
      let upload = Upload(number: number, name: name, percent: percent)
      if let index = uploads.firstIndex(where: { $0.number == number }) {
        uploads[index] = upload
      } else {
        uploads.append(upload)
      }
    case .ended(let number): uploads.removeAll { $0.number == number }
    case .photo(let number, let photo):
      updatePage { $0.hasVisitor = true }
      form.receive(photo) { [reception] isTaken in
        reception?.send(.took(photo: number, isTaken))
      }
    }
  }

  private func updatePage(_ change: (inout Page) -> Void) {
    guard case .open(var page) = phase else { return }
    change(&page)
    phase = .open(page)
  }
}

extension PhotoRoutes {
  /// Whether the first route is the only one that is not unlikely.
  fileprivate var hasOneLikely: Bool {
    let likely = routes.filter {
      if case .local(let address) = $0 { address.isLikely } else { true }
    }
    return likely.count == 1 && likely.first == routes.first
  }
}
