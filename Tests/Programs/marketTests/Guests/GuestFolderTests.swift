import Expectations
import Glibc
import MarketModel
import MarketViewModels
import PersonalStore
import Posix
import TestSupport
import Testing

@testable import market

/// Who gets a place in the house, and whose place goes for that.
final class GuestFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func directory(kept: Int) throws(GuestError) -> GuestDirectory {
    var limits = HostingOptions()
    limits.state = folder.path(of: "house")
    limits.maxSavedGuests = kept
    return try GuestDirectory(limits)
  }

  private var placeCount: Int {
    Folder.names(in: folder.path(of: "house/guests")).count { !$0.hasPrefix(".") }
  }

  @Test func `a thousand made-up keys keep no newcomer from selling, and take nothing kept`()
    async throws
  {
    let directory = try directory(kept: 1_000)
    var kept: [Int: String] = [:]
    for (number, thing) in GuestData.allCases.enumerated() {
      let location = try #require(directory.visit(key(number)))
      kept[number] = location
      await thing.add(in: location)
    }
    let visited = folder.path(of: "visited")
    await leaveVisit(in: visited)
    let visit = try FileContent(of: AppPaths { _ in visited }.personal)

    for number in 1_000..<2_000 {
      let location = try #require(directory.visit(key(number)))
      // Every other one looked at the screen; the rest had a command refused.
      guard number % 2 == 0 else { continue }
      try Folder.make(location + "/market")
      try visit.write(to: location + "/market/personal.sqlite")
    }
    let pendingProducts = try (3_000..<3_020).map { try #require(directory.visit(key($0))) }

    expect(placeCount, 1_000)
    #expect(pendingProducts.allSatisfy(Folder.isFolder))
    for (number, thing) in GuestData.allCases.enumerated() {
      let location = try #require(directory.visit(key(number)))
      expect(location, kept[number])
      #expect(await thing.isKept(in: location))
    }
  }

  @Test func `what a visit and refused commands leave is nothing kept`() async throws {
    let directory = try directory(kept: 1)
    let location = try #require(directory.visit(key(1)))
    await leaveVisit(in: location)

    #expect(directory.visit(key(2)) != nil)
    #expect(!Folder.isFolder(location))
  }

  @Test(arguments: GuestData.allCases)
  func `the first thing kept takes the place`(thing: GuestData) async throws {
    let directory = try directory(kept: 1)
    let location = try #require(directory.visit(key(1)))
    await leaveVisit(in: location)
    await thing.add(in: location)

    for number in 2...4 { expect(directory.visit(key(number)), nil) }

    expect(directory.visit(key(1)), location)
    #expect(await thing.isKept(in: location))
  }

  @Test func `who has let everything go gives way after the next visit`() throws {
    let directory = try directory(kept: 1)
    let location = try #require(directory.visit(key(1)))
    #expect(GuestFolder(folder: location).photoInbox.add([1]) != nil)
    expect(directory.visit(key(2)), nil)

    _ = directory.visit(key(1))
    GuestFolder(folder: location).photoInbox.remove("photo-1")

    #expect(directory.visit(key(2)) != nil)
    #expect(!Folder.isFolder(location))
  }

  @Test func `places with something kept go after 30 days, the oldest first, all of it at once`()
    throws
  {
    let directory = try directory(kept: 3)
    let locations = try (1...3).map { number in
      let location = try #require(directory.visit(key(number)))
      #expect(GuestFolder(folder: location).photoInbox.add([1]) != nil)
      return location
    }
    stay(away: 29, from: locations[0])
    expect(directory.visit(key(4)), nil)
    stay(away: 31, from: locations[0])
    stay(away: 32, from: locations[1])

    #expect(directory.visit(key(4)) != nil)

    #expect(!Folder.isFolder(locations[1]))
    expect(directory.visit(key(1)), locations[0])
    // By coming, the first one is no longer absent.
    _ = GuestFolder(folder: try #require(directory.visit(key(4)))).photoInbox.add([1])
    expect(directory.visit(key(5)), nil)
  }

  @Test func `where nothing is to be kept nobody has a place`() throws {
    try expect(directory(kept: 0).visit(key(1)), nil)
    expect(placeCount, 0)
  }

  // MARK: At the same time

  @Test func `the place of a guest who is here stays, until the last connection ends`() throws {
    let directory = try directory(kept: 1)
    let first = try #require(directory.folder(of: key(1)))
    let second = try #require(directory.folder(of: key(1)))
    expect(first.folder, second.folder)
    stay(away: 31, from: first.folder)

    expect(directory.visit(key(2)), nil)
    close(first.lock)
    expect(directory.visit(key(2)), nil)
    close(second.lock)

    #expect(directory.visit(key(2)) != nil)
    #expect(!Folder.isFolder(first.folder))
  }

  /// In a process of its own: another one that is just being started holds every lock for a moment.
  @Test func `guests who come at once get one place for each key, and no more than there are`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await GuestFolderTests().takePlacesAtOnce()
    }
  }

  private func takePlacesAtOnce() async throws {
    let directory = try directory(kept: 4)
    for round in 0..<40 {
      let taken = await withTaskGroup { group in
        for number in 0..<24 {
          let guest = round * 6 + number % 6
          group.addTask { directory.folder(of: key(guest)).map { (guest, $0.folder, $0.lock) } }
        }
        var taken: [(key: Int, folder: String, lock: Int32)] = []
        for await one in group { if let one { taken.append(one) } }
        return taken
      }

      expect(placeCount, 4)
      expect(Set(taken.map(\.folder)).count, 4)
      expect(Set(taken.map(\.key)).count, 4)
      // Who has a place has it in all four connections.
      expect(taken.count, 16)
      for one in taken { close(one.lock) }
    }
  }

  @Test func `a place that is opened while it goes is not taken`() throws {
    let directory = try directory(kept: 1)
    let location = GuestFolder(folder: try #require(directory.visit(key(1))))
    var lock: Int32?

    let isGone = location.remove(by: folder.path(of: "trash")) {
      lock = location.acquire()
      return true
    }

    #expect(isGone && lock == nil)
    expect(location.acquire(), nil)
  }

  @Test func `who takes a place while newcomers remove it has the one that stands there`()
    async throws
  {
    let location = GuestFolder(folder: folder.path(of: "place"))
    let trash = folder.path(of: "trash")
    let rounds = 3_000

    async let lost = Self.lostPlaces(location, rounds)
    async let _ = Self.remove(location, by: trash, rounds)

    await expect(lost, 0)
  }

  /// Takes a place again and again; how often what was taken stood elsewhere by then.
  @concurrent private nonisolated static func lostPlaces(
    _ location: GuestFolder, _ rounds: Int
  ) async -> Int {
    var lost = 0
    for _ in 0..<rounds {
      mkdir(location.folder, 0o700)
      guard let lock = location.acquire() else { continue }
      var (taken, there) = (stat(), stat())
      fstat(lock, &taken)
      if lstat(location.folder, &there) != 0 || taken.st_ino != there.st_ino { lost += 1 }
      close(lock)
    }
    return lost
  }

  @concurrent private nonisolated static func remove(
    _ location: GuestFolder, by trash: String, _ rounds: Int
  ) async -> Int {
    (0..<rounds).count { _ in location.remove(by: trash) { true } }
  }

  // MARK: Ends in between

  @Test func `what a killed newcomer left of another's place goes with the next one`() throws {
    let directory = try directory(kept: 1)
    let trash = folder.path(of: "house/guests/.trash")
    let location = try #require(directory.visit(key(1)))
    // Killed between the move and the end of the removal.
    rename(location, trash)
    try Folder.make(trash + "/market/drafts/a/b")
    #expect(directory.visit(key(2)) != nil)

    #expect(directory.visit(key(3)) != nil)

    #expect(!Folder.isFolder(trash))
    expect(placeCount, 1)
  }

  @Test func `a place that a killed guest made is as empty as any`() throws {
    let directory = try directory(kept: 1)
    mkdir(folder.path(of: "house/guests/made"), 0o700)

    #expect(directory.visit(key(1)) != nil)
    expect(placeCount, 1)
  }

  @Test func `what a killed guest has kept is found without the end of the run`() async throws {
    let directory = try directory(kept: 1)
    let location = try #require(directory.visit(key(1)))
    let file = personal(in: location)
    #expect(await file.save(SavedSearch(name: "bikes", text: "bike")))

    expect(directory.visit(key(2)), nil)

    await file.close()
    await expect(personal(in: location).savedSearches().count, 1)
  }

  @Test(arguments: ["personal.sqlite", "seller-file"])
  func `a file that cannot be read is taken for something kept, as long as it cannot`(name: String)
    throws
  {
    let directory = try directory(kept: 1)
    let location = try #require(directory.visit(key(1)))
    try Folder.make(location + "/market")
    try FileContent(bytes: Array("neither".utf8)).write(to: location + "/market/" + name)
    expect(directory.visit(key(2)), nil)

    unlink(location + "/market/" + name)

    #expect(directory.visit(key(2)) != nil)
  }

  // MARK: Law

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whatever guests do, places go as they should`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    let directory = try directory(kept: limit)
    var model = GuestDirectoryModel(limit: limit)
    var folders: [Int: String] = [:]
    var locks: [Int: [Int32]] = [:]

    for step in 1...150 {
      let guest = Int.random(in: 0..<7, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let location = directory.folder(of: key(guest))
        expect(location != nil, model.come(guest, at: step), "step \(step)")
        guard let location else { continue }
        folders[guest] = location.folder
        locks[guest, default: []].append(location.lock)
        date(location.folder, time_t(time(nil)) - 1_000 + step)
      case 2, 3:
        // Few stay, so that there are several places to choose from.
        guard let here = model.here.keys.sorted().randomElement(using: &random),
          let lock = locks[here]?.popLast()
        else { continue }
        close(lock)
        model.leave(here)
      default:
        guard let location = folders[guest], model.here[guest] != nil else { continue }
        let photoInbox = GuestFolder(folder: location).photoInbox
        let keeps = model.kept.contains(guest)
        if keeps { photoInbox.remove("photo-1") } else { _ = photoInbox.add([1]) }
        // The tray is a folder of its own, and its making no visit.
        date(location, time_t(time(nil)) - 1_000 + (model.visits[guest] ?? 0))
        model.turn(guest)
      }
      expect(placeCount, model.visits.count)
      for guest in model.visits.keys {
        expect(folders[guest].map(Folder.isFolder), true, "step \(step)")
      }
    }
    for lock in locks.values.joined() { close(lock) }
  }

  private func stay(away days: Int, from location: String) {
    date(location, time(nil) - days * 86_400)
  }

  private func date(_ location: String, _ seconds: time_t) {
    let date = timespec(tv_sec: seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, location, [date, date], 0)
  }

  /// Leaves what the screen and refused commands leave.
  private func leaveVisit(in location: String) async {
    let file = personal(in: location)
    await file.isVisiting(.local, newest: Product.ID(rawValue: 7))
    await file.didSee([SeenProduct(id: Product.ID(rawValue: 7), price: nil)], in: .local)
    await file.didSearch(for: "bike")
    await file.close()
    // As an edit with a wrong password does.
    _ = await account(in: location).account()
    try? Folder.make(location + "/tray")
    try? Folder.make(location + "/market/drafts/server")
  }
}

/// What the house should do, in a few lines.
private struct GuestDirectoryModel {
  let limit: Int
  /// When each guest with a place came last.
  var visits: [Int: Int] = [:]
  var kept: Set<Int> = []
  /// How often a guest is here; nil is not at all.
  var here: [Int: Int] = [:]

  /// Whether a guest who comes has a place.
  mutating func come(_ guest: Int, at step: Int) -> Bool {
    if visits[guest] == nil, visits.count >= limit {
      let left = visits.filter { here[$0.key] == nil && !kept.contains($0.key) }
      guard let oldest = left.min(by: { $0.value < $1.value }) else { return false }
      visits[oldest.key] = nil
    }
    visits[guest] = step
    here[guest, default: 0] += 1
    return true
  }

  mutating func leave(_ guest: Int) {
    here[guest] = here[guest].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Keeps something, or lets it go.
  mutating func turn(_ guest: Int) { kept.formSymmetricDifference([guest]) }
}

/// Things by the first of which a guest takes a place.
enum GuestData: CaseIterable {
  case photo, draft, sellerName, listing, favorite, favoriteSeller, alert, savedSearch

  func add(in location: String) async {
    let market = FavoriteMarket(key: .local, name: nil, location: nil)
    switch self {
    case .photo: expect(GuestFolder(folder: location).photoInbox.add([1]), "photo-1")
    case .draft: #expect(await drafts(in: location).save(draft))
    case .sellerName:
      #expect(
        await account(in: location).save(SellerAccount(identifier: seller, name: "Hana")) != nil)
    case .listing:
      let listed = SellerAccount(identifier: seller, registered: [Product.ID(rawValue: 7)])
      #expect(await account(in: location).save(listed) != nil)
    case .favorite:
      let file = personal(in: location)
      await expect(file.add(.sample(id: 7), description: nil, of: market), .added)
      await file.close()
    case .favoriteSeller:
      let file = personal(in: location)
      let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
      await expect(file.add(seller, by: Product.ID(rawValue: 7), of: market), .added)
      await file.close()
    case .alert:
      let file = personal(in: location)
      #expect(
        await file.add(
          Alert(
            market: .local, location: nil, subject: .search("bike"), name: "bike",
            condition: .anythingNew)))
      await file.close()
    case .savedSearch:
      let file = personal(in: location)
      #expect(await file.save(SavedSearch(name: "bikes", text: "bike")))
      await file.close()
    }
  }

  func isKept(in location: String) async -> Bool {
    switch self {
    case .photo: return GuestFolder(folder: location).photoInbox.names() == ["photo-1"]
    case .draft: return await drafts(in: location).drafts().map(\.id) == [draft.id]
    case .sellerName: return await account(in: location).known()?.name == "Hana"
    case .listing: return await account(in: location).known()?.registered.count == 1
    case .favorite, .favoriteSeller, .alert, .savedSearch:
      let file = personal(in: location)
      let marks = await file.favoriteMarks(of: .local)
      let counts = [
        marks.products.count, marks.sellers.count, await file.alerts().count,
        await file.savedSearches().count,
      ]
      await file.close()
      let own: [GuestData] = [.favorite, .favoriteSeller, .alert, .savedSearch]
      return zip(own, counts).allSatisfy { ($1 == 1) == ($0 == self) }
    }
  }

  private var draft: Draft {
    Draft(
      id: Draft.ID(rawValue: "a"), target: .edit(Product.ID(rawValue: 7)),
      key: IdempotencyKey(rawValue: "key"), version: nil, values: FormValues(),
      changed: Timestamp(seconds: 1))
  }

  private func drafts(in location: String) -> DraftFolder {
    DraftFolder(AppPaths { _ in location }.drafts + "/server")
  }
}

private let seller = SellerIdentifier(secret: "of a key")

private func account(in location: String) -> AccountFile {
  AccountFile(
    folder: AppPaths { _ in location }.config, name: AccountFile.namePrefix + "server", of: seller)
}

private func personal(in location: String) -> PersonalFile {
  PersonalFile(at: AppPaths { _ in location }.personal, now: SystemTime.now, report: { _ in })
}

private nonisolated func key(_ number: Int) -> KeyFingerprint {
  KeyFingerprint(ofKey: Array("key \(number)".utf8))
}

extension GuestDirectory {
  /// Comes and goes.
  nonisolated func visit(_ key: KeyFingerprint) -> String? {
    guard let location = folder(of: key) else { return nil }
    close(location.lock)
    return location.folder
  }
}
