import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit
import Synchronization

/// Responder of `market-server receive-photos`: one page, which passes photos on to one form.
///
/// The first browser that opens the page gets a cookie; each further one waits until the person at the
/// form admits it.
package final class PhotoReceiver: HTTPResponder {
  /// Browser with a cookie.
  private struct Device {
    let cookie: UploadToken
    /// Whether it may send; nil while the person is asked.
    var isAdmitted: Bool?
  }

  private struct Photo {
    let name: SafeText
    var isTaken: Bool?
  }

  private struct State {
    var devices: [Device] = []
    var photos: [Photo] = []
    var byteCount = 0
    /// Requests that wait until the form has taken their photos.
    var waiters: [CheckedContinuation<Bool, Never>] = []
    var uploads: [TraceID: Upload] = [:]
    var nextUpload = 0
  }

  private struct Upload {
    let number: Int
    var percent = -1
  }

  /// Maximum number of browsers; further ones get 403.
  private static let maxDevices = 8
  /// Maximum time for which a request waits until the form has its photos.
  private static let maxWait = Duration.seconds(20)
  private static let cookieName = "photos"

  private let token: UploadToken
  /// Host and port of the printed address.
  private let host: String
  private let language: Language
  private let send: @Sendable (ReceiverEvent) -> Void
  private let state = Mutex(State())

  /// Creates the responder of the page at `http://HOST/U/TOKEN`; `send` gets what the form is told.
  package init(
    _ token: UploadToken, at host: String, language: Language,
    send: @escaping @Sendable (ReceiverEvent) -> Void
  ) {
    (self.token, self.host, self.language, self.send) = (token, host, language, send)
  }

  /// Limits of a server with this responder alone.
  package static var limits: ServerLimits {
    var limits = ServerLimits()
    (limits.connections, limits.connectionsOfAddress) = (8, 6)
    limits.body = 0
    limits.allBodies = UploadLimits.requestBytes
    limits.bodiesOfAddress = UploadLimits.requestBytes
    limits.idleSeconds = 30
    limits.watchers = 0
    return limits
  }

  /// Carries out a command of the form.
  package func perform(_ command: ReceiverCommand) {
    state.withLock { state in
      switch command {
      case .admit(let number, let isAdmitted):
        if state.devices.indices.contains(number) { state.devices[number].isAdmitted = isAdmitted }
      case .took(let number, let isTaken):
        if state.photos.indices.contains(number) { state.photos[number].isTaken = isTaken }
      }
    }
    resumeWaiters()
  }

  private func resumeWaiters() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: false) }
  }

  // MARK: Requests

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

  package func bodyLimit(for request: ServerRequest) -> Int? {
    guard request.method == .post, refusal(of: request) == nil else { return nil }
    return device(of: request)?.isAdmitted == true ? UploadLimits.requestBytes : nil
  }

  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
    if let refusal = refusal(of: request) { return refusal }
    let answer = response(for: request)
    guard request.method == .post else { return .refusal(.methodNotAllowed) }
    guard let device = device(of: request) else { return answer.page(.forbidden, .closed) }
    return refusal(of: device, answer) ?? answer.refusal(.tooMany)
  }

  package func didReceive(_ count: Int, of total: Int, as trace: TraceID, _ request: ServerRequest)
  {
    let percent = total > 0 ? count * 100 / total : 0
    let number = state.withLock { state -> Int? in
      let number = state.nextUpload
      if state.uploads[trace] == nil {
        state.uploads[trace] = Upload(number: number)
        state.nextUpload += 1
      }
      guard state.uploads[trace]?.percent != percent else { return nil }
      state.uploads[trace]?.percent = percent
      return state.uploads[trace]?.number
    }
    guard let number else { return }
    let name = request.message.target.query["name"] ?? ""
    send(.progress(upload: number, name: name, percent: percent))
  }

  package func didEnd(_ trace: TraceID) {
    guard let upload = state.withLock({ $0.uploads.removeValue(forKey: trace) }) else { return }
    send(.ended(upload: upload.number))
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    if let refusal = refusal(of: request) { return refusal }
    if request.isReading, let asset = UploadResponse.asset(for: request) { return asset }
    let answer = self.response(for: request)
    guard request.isReading || request.method == .post else { return .refusal(.methodNotAllowed) }
    let (device, cookie) = admit(request)
    var response: ServerResponse
    if let refusal = refusal(of: device, answer) {
      response = refusal
    } else if request.method == .post {
      response = await take(request, answer)
    } else {
      response = answer.page(.ok, .open(shownPhotos(0)))
    }
    if let cookie {
      var message = response.message
      // A browser tells the capitals of a path from its small letters.
      let path = request.message.target.path
      message.headers["Set-Cookie"] =
        "\(Self.cookieName)=\(cookie.text); Path=\(path); HttpOnly; SameSite=Strict"
      response = response.replacingMessage(with: message)
    }
    return response
  }

  private func response(for request: ServerRequest) -> UploadResponse {
    UploadResponse(request: request, isPlain: true, language: language)
  }

  /// Refusal of a request that is not for the page, or comes from another one; nil for the others.
  private func refusal(of request: ServerRequest) -> ServerResponse? {
    guard request.headers["Host"]?.lowercased() == host.lowercased() else {
      return .refusal(.misdirectedRequest)
    }
    if request.isReading, UploadResponse.isAsset(request) { return nil }
    let answer = response(for: request)
    guard !request.isForeign(to: host) else { return answer.refusal(.foreign) }
    return isPage(request) ? nil : answer.page(.notFound, .closed)
  }

  /// Refusal of a browser that is not admitted; nil for one that is.
  private func refusal(of device: Device?, _ answer: UploadResponse) -> ServerResponse? {
    guard let device else { return answer.page(.forbidden, .closed) }
    guard let isAdmitted = device.isAdmitted else { return answer.page(.forbidden, .asking) }
    return isAdmitted ? nil : answer.page(.forbidden, .closed)
  }

  private func isPage(_ request: ServerRequest) -> Bool {
    UploadToken(path: request.message.target.path).map(token.matches) ?? false
  }

  // MARK: Browsers

  private func device(of request: ServerRequest) -> Device? {
    let cookies = cookies(of: request)
    return state.withLock { state in state.devices.first { Self.has($0, cookies) } }
  }

  /// Browser of a request, the first or one that the person is asked about; nil if there are too many.
  ///
  /// The cookie is that to be set; nil for a known browser.
  private func admit(_ request: ServerRequest) -> (Device?, cookie: UploadToken?) {
    let cookies = cookies(of: request)
    let (device, event) = state.withLock { state -> (Device?, ReceiverEvent?) in
      if let known = state.devices.first(where: { Self.has($0, cookies) }) { return (known, nil) }
      guard state.devices.count < Self.maxDevices, request.method == .get else { return (nil, nil) }
      let isFirst = state.devices.isEmpty
      let device = Device(cookie: UploadToken(), isAdmitted: isFirst ? true : nil)
      state.devices.append(device)
      return (device, isFirst ? .visited : .asked(device: state.devices.count - 1))
    }
    if let event { send(event) }
    return (device, event == nil ? nil : device?.cookie)
  }

  private static func has(_ device: Device, _ cookies: [UploadToken]) -> Bool {
    cookies.contains { $0.matches(device.cookie) }
  }

  private func cookies(of request: ServerRequest) -> [UploadToken] {
    request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let words = pair.split(separator: "=", maxSplits: 1)
      guard words.count == 2, words[0].drop(while: { $0 == " " }) == Self.cookieName else {
        return nil
      }
      return UploadToken(word: String(words[1]))
    }
  }

  // MARK: Photos

  /// Passes the photos of a request on, and waits until the form has them.
  private func take(_ request: ServerRequest, _ answer: UploadResponse) async -> ServerResponse {
    do throws(UploadRefusal) {
      let left = state.withLock {
        (UploadLimits.photos - $0.photos.count, UploadLimits.bytes - $0.byteCount)
      }
      let photos = try UploadForm.photos(of: request, left: left)
      let (first, isTooMuch) = state.withLock { state -> (Int, Bool) in
        // Another request may have come between.
        let bytes = photos.reduce(0) { $0 + $1.bytes.count }
        guard state.photos.count + photos.count <= UploadLimits.photos,
          state.byteCount + bytes <= UploadLimits.bytes
        else { return (0, true) }
        let first = state.photos.count
        state.photos += photos.map { Photo(name: SafeText($0.name)) }
        state.byteCount += bytes
        return (first, false)
      }
      if isTooMuch { throw .tooMany }
      for (index, photo) in photos.enumerated() { send(.photo(first + index, photo)) }
      await waitUntilTaken(first..<(first + photos.count))
      return answer.page(.ok, .open(shownPhotos(first)))
    } catch {
      return answer.refusal(error)
    }
  }

  /// Photos from a number on, or all for a script-free page that is opened again.
  private func shownPhotos(_ first: Int) -> [UploadPage.Photo] {
    state.withLock { state in
      state.photos.dropFirst(first).map { UploadPage.Photo(name: $0.name, isTaken: $0.isTaken) }
    }
  }

  /// Waits until the form has taken or refused photos, at most `maxWait`.
  private func waitUntilTaken(_ numbers: Range<Int>) async {
    let end = ContinuousClock.now + Self.maxWait
    let limit = Task {
      if (try? await Task.sleep(until: end)) != nil { resumeWaiters() }
    }
    defer { limit.cancel() }
    var isTaken = false
    while !isTaken, ContinuousClock.now < end {
      isTaken = await withCheckedContinuation { continuation in
        let isReady = state.withLock { state -> Bool in
          let isReady = state.photos[numbers].allSatisfy { $0.isTaken != nil }
          if !isReady { state.waiters.append(continuation) }
          return isReady
        }
        if isReady { continuation.resume(returning: true) }
      }
    }
  }
}
