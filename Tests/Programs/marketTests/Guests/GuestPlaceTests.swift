import Glibc
import MarketModel
import MarketViewModels
import PersonalStore
import Posix
import TestSupport
import Testing

@testable import market

/// Who gets a place in the house, and whose place goes for that.
@Suite(.timeLimit(.minutes(1))) final class GuestPlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func house(kept: Int) throws(GuestTrouble) -> GuestHouse {
    var limits = HostingOptions()
    limits.state = folder.path(of: "house")
    limits.mostKept = kept
    return try GuestHouse(limits)
  }

  private var placeCount: Int {
    Folder.names(in: folder.path(of: "house/guests")).count { !$0.hasPrefix(".") }
  }

  @Test func `a thousand made-up keys keep no newcomer from selling, and take nothing kept`()
    async throws
  {
    let house = try house(kept: 1_000)
    var kept: [Int: String] = [:]
    for (number, thing) in KeptThing.allCases.enumerated() {
      let place = try #require(house.visit(key(number)))
      kept[number] = place
      await thing.keep(in: place)
    }
    let visited = folder.path(of: "visited")
    await leaveVisit(in: visited)
    let visit = try FileContent(of: Locations { _ in visited }.personal)

    for number in 1_000..<2_000 {
      let place = try #require(house.visit(key(number)))
      // Every other one looked at the screen; the rest had a command refused.
      guard number % 2 == 0 else { continue }
      try Folder.make(place + "/market")
      try visit.write(to: place + "/market/personal.sqlite")
    }
    let newcomers = try (3_000..<3_020).map { try #require(house.visit(key($0))) }

    #expect(placeCount == 1_000)
    #expect(newcomers.allSatisfy(Folder.isFolder))
    for (number, thing) in KeptThing.allCases.enumerated() {
      let place = try #require(house.visit(key(number)))
      #expect(place == kept[number])
      #expect(await thing.isKept(in: place))
    }
  }

  @Test func `what a visit and refused commands leave is nothing kept`() async throws {
    let house = try house(kept: 1)
    let place = try #require(house.visit(key(1)))
    await leaveVisit(in: place)

    #expect(house.visit(key(2)) != nil)
    #expect(!Folder.isFolder(place))
  }

  @Test(arguments: KeptThing.allCases)
  func `the first thing kept takes the place`(thing: KeptThing) async throws {
    let house = try house(kept: 1)
    let place = try #require(house.visit(key(1)))
    await leaveVisit(in: place)
    await thing.keep(in: place)

    for number in 2...4 { #expect(house.visit(key(number)) == nil) }

    #expect(house.visit(key(1)) == place)
    #expect(await thing.isKept(in: place))
  }

  @Test func `who has let everything go gives way after the next visit`() throws {
    let house = try house(kept: 1)
    let place = try #require(house.visit(key(1)))
    #expect(GuestPlace(folder: place).tray.add([1]) != nil)
    #expect(house.visit(key(2)) == nil)

    _ = house.visit(key(1))
    GuestPlace(folder: place).tray.remove("photo-1")

    #expect(house.visit(key(2)) != nil)
    #expect(!Folder.isFolder(place))
  }

  @Test func `places with something kept go after 30 days, the oldest first, all of it at once`()
    throws
  {
    let house = try house(kept: 3)
    let places = try (1...3).map { number in
      let place = try #require(house.visit(key(number)))
      #expect(GuestPlace(folder: place).tray.add([1]) != nil)
      return place
    }
    stay(away: 29, from: places[0])
    #expect(house.visit(key(4)) == nil)
    stay(away: 31, from: places[0])
    stay(away: 32, from: places[1])

    #expect(house.visit(key(4)) != nil)

    #expect(!Folder.isFolder(places[1]))
    #expect(house.visit(key(1)) == places[0])
    // By coming, the first one is no longer absent.
    _ = GuestPlace(folder: try #require(house.visit(key(4)))).tray.add([1])
    #expect(house.visit(key(5)) == nil)
  }

  @Test func `where nothing is to be kept nobody has a place`() throws {
    #expect(try house(kept: 0).visit(key(1)) == nil)
    #expect(placeCount == 0)
  }

  // MARK: At the same time

  @Test func `the place of a guest who is here stays, until the last connection ends`() throws {
    let house = try house(kept: 1)
    let first = try #require(house.place(of: key(1)))
    let second = try #require(house.place(of: key(1)))
    #expect(first.folder == second.folder)
    stay(away: 31, from: first.folder)

    #expect(house.visit(key(2)) == nil)
    close(first.lock)
    #expect(house.visit(key(2)) == nil)
    close(second.lock)

    #expect(house.visit(key(2)) != nil)
    #expect(!Folder.isFolder(first.folder))
  }

  /// In a process of its own: another one that is just being started holds every lock for a moment.
  @Test func `guests who come at once get one place for each key, and no more than there are`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await GuestPlaceTests().takePlacesAtOnce()
    }
  }

  private func takePlacesAtOnce() async throws {
    let house = try house(kept: 4)
    for round in 0..<40 {
      let taken = await withTaskGroup { group in
        for number in 0..<24 {
          let guest = round * 6 + number % 6
          group.addTask { house.place(of: key(guest)).map { (guest, $0.folder, $0.lock) } }
        }
        var taken: [(key: Int, folder: String, lock: Int32)] = []
        for await one in group { if let one { taken.append(one) } }
        return taken
      }

      #expect(placeCount == 4)
      #expect(Set(taken.map(\.folder)).count == 4)
      #expect(Set(taken.map(\.key)).count == 4)
      // Who has a place has it in all four connections.
      #expect(taken.count == 16)
      for one in taken { close(one.lock) }
    }
  }

  @Test func `a place that is opened while it goes is not taken`() throws {
    let house = try house(kept: 1)
    let place = GuestPlace(folder: try #require(house.visit(key(1))))
    var lock: Int32?

    let isGone = place.remove(by: folder.path(of: "trash")) {
      lock = place.take()
      return true
    }

    #expect(isGone && lock == nil)
    #expect(place.take() == nil)
  }

  @Test func `who takes a place while newcomers remove it has the one that stands there`()
    async throws
  {
    let place = GuestPlace(folder: folder.path(of: "place"))
    let trash = folder.path(of: "trash")
    let rounds = 3_000

    async let lost = Self.lostPlaces(place, rounds)
    async let _ = Self.remove(place, by: trash, rounds)

    #expect(await lost == 0)
  }

  /// Takes a place again and again; how often what was taken stood elsewhere by then.
  @concurrent private nonisolated static func lostPlaces(
    _ place: GuestPlace, _ rounds: Int
  ) async -> Int {
    var lost = 0
    for _ in 0..<rounds {
      mkdir(place.folder, 0o700)
      guard let lock = place.take() else { continue }
      var (taken, there) = (stat(), stat())
      fstat(lock, &taken)
      if lstat(place.folder, &there) != 0 || taken.st_ino != there.st_ino { lost += 1 }
      close(lock)
    }
    return lost
  }

  @concurrent private nonisolated static func remove(
    _ place: GuestPlace, by trash: String, _ rounds: Int
  ) async -> Int {
    (0..<rounds).count { _ in place.remove(by: trash) { true } }
  }

  // MARK: Ends in between

  @Test func `what a killed newcomer left of another's place goes with the next one`() throws {
    let house = try house(kept: 1)
    let trash = folder.path(of: "house/guests/.trash")
    let place = try #require(house.visit(key(1)))
    // Killed between the move and the end of the removal.
    rename(place, trash)
    try Folder.make(trash + "/market/drafts/a/b")
    #expect(house.visit(key(2)) != nil)

    #expect(house.visit(key(3)) != nil)

    #expect(!Folder.isFolder(trash))
    #expect(placeCount == 1)
  }

  @Test func `a place that a killed guest made is as empty as any`() throws {
    let house = try house(kept: 1)
    mkdir(folder.path(of: "house/guests/made"), 0o700)

    #expect(house.visit(key(1)) != nil)
    #expect(placeCount == 1)
  }

  @Test func `what a killed guest has kept is found without the end of the run`() async throws {
    let house = try house(kept: 1)
    let place = try #require(house.visit(key(1)))
    let file = personal(in: place)
    #expect(await file.save(SavedSearch(name: "bikes", text: "bike")))

    #expect(house.visit(key(2)) == nil)

    await file.close()
    #expect(await personal(in: place).savedSearches().count == 1)
  }

  @Test(arguments: ["personal.sqlite", "seller-file"])
  func `a file that cannot be read is taken for something kept, as long as it cannot`(name: String)
    throws
  {
    let house = try house(kept: 1)
    let place = try #require(house.visit(key(1)))
    try Folder.make(place + "/market")
    try FileContent(bytes: Array("neither".utf8)).write(to: place + "/market/" + name)
    #expect(house.visit(key(2)) == nil)

    unlink(place + "/market/" + name)

    #expect(house.visit(key(2)) != nil)
  }

  // MARK: Law

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whatever guests do, places go as they should`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 1...4, using: &random)
    let house = try house(kept: limit)
    var model = PlaceModel(limit: limit)
    var folders: [Int: String] = [:]
    var locks: [Int: [Int32]] = [:]

    for step in 1...150 {
      let guest = Int.random(in: 0..<7, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let place = house.place(of: key(guest))
        #expect((place != nil) == model.come(guest, at: step), "step \(step)")
        guard let place else { continue }
        folders[guest] = place.folder
        locks[guest, default: []].append(place.lock)
        date(place.folder, time_t(time(nil)) - 1_000 + step)
      case 2, 3:
        // Few stay, so that there are several places to choose from.
        guard let here = model.here.keys.sorted().randomElement(using: &random),
          let lock = locks[here]?.popLast()
        else { continue }
        close(lock)
        model.leave(here)
      default:
        guard let place = folders[guest], model.here[guest] != nil else { continue }
        let tray = GuestPlace(folder: place).tray
        let keeps = model.kept.contains(guest)
        if keeps { tray.remove("photo-1") } else { _ = tray.add([1]) }
        // The tray is a folder of its own, and its making no visit.
        date(place, time_t(time(nil)) - 1_000 + (model.visits[guest] ?? 0))
        model.turn(guest)
      }
      #expect(placeCount == model.visits.count)
      for guest in model.visits.keys {
        #expect(folders[guest].map(Folder.isFolder) == true, "step \(step)")
      }
    }
    for lock in locks.values.joined() { close(lock) }
  }

  private func stay(away days: Int, from place: String) {
    date(place, time(nil) - days * 86_400)
  }

  private func date(_ place: String, _ seconds: time_t) {
    let date = timespec(tv_sec: seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, place, [date, date], 0)
  }

  /// Leaves what the screen and refused commands leave.
  private func leaveVisit(in place: String) async {
    let file = personal(in: place)
    await file.isVisiting(.local, newest: Product.ID(rawValue: 7))
    await file.didSee([SeenProduct(id: Product.ID(rawValue: 7), price: nil)], in: .local)
    await file.didSearch(for: "bike")
    await file.close()
    // As an edit with a wrong password does.
    _ = await account(in: place).account()
    try? Folder.make(place + "/tray")
    try? Folder.make(place + "/market/drafts/server")
  }
}

/// What the house should do, in a few lines.
private struct PlaceModel {
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
enum KeptThing: CaseIterable {
  case photo, draft, sellerName, listing, favorite, favoriteSeller, alert, savedSearch

  func keep(in place: String) async {
    let market = KeptMarket(key: .local, name: nil, place: nil)
    switch self {
    case .photo: #expect(GuestPlace(folder: place).tray.add([1]) == "photo-1")
    case .draft: #expect(await drafts(in: place).save(draft))
    case .sellerName:
      #expect(await account(in: place).save(SellerAccount(identifier: seller, name: "Hana")) != nil)
    case .listing:
      let listed = SellerAccount(identifier: seller, registered: [Product.ID(rawValue: 7)])
      #expect(await account(in: place).save(listed) != nil)
    case .favorite:
      let file = personal(in: place)
      #expect(await file.keep(.sample(id: 7), description: nil, of: market) == .kept)
      await file.close()
    case .favoriteSeller:
      let file = personal(in: place)
      let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
      #expect(await file.keep(seller, by: Product.ID(rawValue: 7), of: market) == .kept)
      await file.close()
    case .alert:
      let file = personal(in: place)
      #expect(
        await file.begin(
          Wait(
            market: .local, place: nil, subject: .search("bike"), name: "bike",
            condition: .anythingNew)))
      await file.close()
    case .savedSearch:
      let file = personal(in: place)
      #expect(await file.save(SavedSearch(name: "bikes", text: "bike")))
      await file.close()
    }
  }

  func isKept(in place: String) async -> Bool {
    switch self {
    case .photo: return GuestPlace(folder: place).tray.names() == ["photo-1"]
    case .draft: return await drafts(in: place).drafts().map(\.id) == [draft.id]
    case .sellerName: return await account(in: place).known()?.name == "Hana"
    case .listing: return await account(in: place).known()?.registered.count == 1
    case .favorite, .favoriteSeller, .alert, .savedSearch:
      let file = personal(in: place)
      let marks = await file.keptMarks(of: .local)
      let counts = [
        marks.products.count, marks.sellers.count, await file.waits().count,
        await file.savedSearches().count,
      ]
      await file.close()
      let own: [KeptThing] = [.favorite, .favoriteSeller, .alert, .savedSearch]
      return zip(own, counts).allSatisfy { ($1 == 1) == ($0 == self) }
    }
  }

  private var draft: Draft {
    Draft(
      id: Draft.ID(rawValue: "a"), target: .edit(Product.ID(rawValue: 7)),
      key: IdempotencyKey(rawValue: "key"), version: nil, values: FormValues(), photos: [],
      changed: Timestamp(seconds: 1))
  }

  private func drafts(in place: String) -> DraftFolder {
    DraftFolder(Locations { _ in place }.drafts + "/server")
  }
}

private let seller = SellerIdentifier(secret: "of a key")

private func account(in place: String) -> AccountFile {
  AccountFile(
    folder: Locations { _ in place }.config, name: AccountFile.namePrefix + "server", of: seller)
}

private func personal(in place: String) -> PersonalFile {
  PersonalFile(at: Locations { _ in place }.personal, now: SystemTime.now, tell: { _ in })
}

private nonisolated func key(_ number: Int) -> KeyFingerprint {
  KeyFingerprint(ofKey: Array("key \(number)".utf8))
}

extension GuestHouse {
  /// Comes and goes.
  nonisolated func visit(_ key: KeyFingerprint) -> String? {
    guard let place = place(of: key) else { return nil }
    close(place.lock)
    return place.folder
  }
}
