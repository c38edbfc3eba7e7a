import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

struct BucketStorageTests {
  /// A bucket of a server that answers as it is told; digests are made up.
  private func storage(
    _ server: ScriptedServer, timeout: Duration = .seconds(30)
  ) throws -> BucketStorage {
    let address = try #require(
      BucketAddress("s3://pictures/a?endpoint=\(server.base)&region=eu-1"))
    return BucketStorage(
      at: address, with: BucketKeys(access: "market:tester", secret: "hush", token: "ticket"),
      over: CurlTransport(), timeout: timeout
    ) { "digest\($0.count)" }
  }

  @Test func `a file is put under its name, signed, and as the kind of picture that it is`()
    async throws
  {
    let server = try ScriptedServer { _, _ in [.answer()] }
    let file = PictureFile.jpeg(1)

    try await storage(server).put(file, at: "ab/abc")

    let request = try #require(server.requests.first)
    let signature = try #require(request.headers["authorization"])
    #expect(request.method == "PUT" && request.target == "/pictures/a/ab/abc")
    expect(request.body, file)
    expect(request.headers["content-type"], "image/jpeg")
    expect(request.headers["x-amz-content-sha256"], "digest64")
    expect(request.headers["x-amz-security-token"], "ticket")
    #expect(request.headers["x-amz-date"] != nil)
    #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=market:tester/"))
    #expect(signature.contains("/eu-1/s3/aws4_request"))
    for name in ["host", "x-amz-content-sha256", "x-amz-security-token", "x-amz-date"] {
      #expect(signature.contains(name))
    }
    #expect(!request.headers.description.contains("hush"))
  }

  @Test func `a file comes back, and one that is not there is none`() async throws {
    let server = try ScriptedServer { _, number in
      number == 0 ? [.answer(200, "file")] : [.answer(404, "<Error><Code>NoSuchKey</Code></Error>")]
    }
    let storage = try storage(server)

    try await expect(storage.bytes(at: "ab/abc", atMost: 4), Array("file".utf8))
    try await expect(storage.bytes(at: "ab/abc", atMost: 4), nil)
  }

  @Test(arguments: [([200], true, 1), ([412], false, 1), ([409], false, 1), ([501, 200], true, 2)])
  func `a file that is there already stays where the storage can tell`(
    statuses: [Int], isFirst: Bool, count: Int
  ) async throws {
    let server = try ScriptedServer { _, number in [.answer(statuses[number])] }
    let storage = try storage(server)

    try await expect(storage.putFirst([1], at: "ab/abc"), isFirst)

    expect(server.requests.count, count)
    expect(server.requests[0].headers["if-none-match"], "*")
    if count > 1 { expect(server.requests[1].headers["if-none-match"], nil) }
  }

  @Test func `a deletion is one, also of what is gone`() async throws {
    let server = try ScriptedServer { _, number in [.answer(number == 0 ? 204 : 404)] }
    let storage = try storage(server)

    try await storage.delete("ab/abc")
    try await storage.delete("ab/abc")

    expect(server.requests.map(\.method), ["DELETE", "DELETE"])
  }

  @Test(arguments: [
    (403, "<Error><Code>AccessDenied</Code></Error>", "status 403, AccessDenied"),
    (404, "<Error><Code>NoSuchBucket</Code></Error>", "status 404, NoSuchBucket"),
    (503, "busy", "status 503"), (307, "", "status 307"),
  ])
  func `a refusal is told in the storage's own word`(
    _ status: Int, _ body: String, _ reason: String
  ) async throws {
    let server = try ScriptedServer { _, _ in [.answer(status, body)] }
    let storage = try storage(server)

    await #expect(throws: PictureStorageError.unavailable(reason)) {
      try await storage.put([1], at: "ab/abc")
    }
    await #expect(throws: PictureStorageError.unavailable(reason)) {
      try await storage.bytes(at: "ab/abc", atMost: 4)
    }
  }

  @Test func `a file longer than a picture is not taken`() async throws {
    let server = try ScriptedServer { _, _ in [.answer(200, "longer")] }
    let storage = try storage(server)

    await #expect(throws: PictureStorageError.tooLarge) {
      try await storage.bytes(at: "ab/abc", atMost: 5)
    }
  }

  @Test func `a storage without room says so`() async throws {
    let server = try ScriptedServer { _, _ in [.answer(507)] }
    let storage = try storage(server)

    await #expect(throws: PictureStorageError.full) { try await storage.put([1], at: "ab/abc") }
  }

  @Test func `a request that has no time left gives up`() async throws {
    let server = try ScriptedServer { _, _ in [.stall] }
    let storage = try storage(server)

    let outcome = await RequestDeadline.limited(to: .milliseconds(50)) {
      do throws(PictureStorageError) {
        try await storage.put([1], at: "ab/abc")
        return PictureStorageError?.none
      } catch {
        return error
      }
    }

    expect(outcome, .timedOut)
  }

  @Test func `a request that waits for a connection gives up, too`() async throws {
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { _, _ in
      asking.yield()
      return [.stall]
    }
    // The others have longer than this test.
    let storage = try storage(server, timeout: .seconds(120))
    let others = (0..<6).map { number in
      Task { try await storage.put([1], at: "ab/\(number)") }
    }
    var arrivals = asked.makeAsyncIterator()
    for _ in others { await arrivals.next() }

    let outcome = await RequestDeadline.limited(to: .milliseconds(50)) {
      do throws(PictureStorageError) {
        try await storage.put([1], at: "ab/abc")
        return PictureStorageError?.none
      } catch {
        return error
      }
    }
    for other in others { other.cancel() }

    expect(outcome, .timedOut)
  }
}
