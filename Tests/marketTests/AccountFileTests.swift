import Glibc
import MarketModel
import MarketViewModels
import TestSupport
import Testing

@testable import market

@Suite struct AccountFileTests {
  @Test func `an account is known again with what the market told of the seller`() async throws {
    let folder = try TemporaryFolder()
    var account = SellerAccount(identifier: SellerIdentifier(secret: "me"), name: "하나")
    account.seller = Seller(id: Seller.ID(rawValue: 9), name: "Hana\n")
    account.registered = [Product.ID(rawValue: 7)]

    let isSaved = await AccountFile(folder: folder.path, name: "seller").save(account)

    #expect(isSaved)
    #expect(await AccountFile(folder: folder.path, name: "seller").known() == account)
    var status = stat()
    #expect(stat(folder.path(of: "seller"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `an account that cannot be saved is told about`() async throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: []).write(to: folder.path(of: "file"))

    let keeper = AccountFile(folder: folder.path(of: "file"), name: "seller")

    #expect(await !keeper.save(SellerAccount(identifier: SellerIdentifier(secret: "me"))))
  }
}
