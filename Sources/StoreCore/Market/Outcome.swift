import MarketModel

/// What a call comes to where the store may refuse it.
package typealias Outcome<Value> = Result<Value, RepositoryError>
