import SQLiteKit

extension Schema {
  /// The tables of a market file; the scripts are in `Resources/schema`.
  static let store = Schema(
    // "OMkt" in ASCII.
    applicationID: 0x4F4D_6B74,
    migrations: [
      PackageResources.store_1_sql, PackageResources.store_2_sql, PackageResources.store_3_sql,
      PackageResources.store_4_sql, PackageResources.store_5_sql, PackageResources.store_6_sql,
    ].map { String(decoding: $0, as: UTF8.self) })
}
