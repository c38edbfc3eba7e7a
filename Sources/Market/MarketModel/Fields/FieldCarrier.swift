/// Something that carries the fields of a product.
package protocol FieldCarrier {
  /// The value of a field; nil for one that is not named or cannot be read.
  subscript(field: ProductField) -> FieldValue? { get }

  /// Takes a field over from values; those that do not name it change nothing.
  mutating func take(_ field: ProductField, from values: FieldValues)
}

extension FieldCarrier {
  /// The values of all fields that it names; pictures that are files, and the password, are none.
  package var fieldValues: FieldValues {
    var values: FieldValues = [:]
    for field in ProductField.allCases { values[field] = self[field] }
    return values
  }

  /// Takes over the fields that are named.
  package mutating func take(_ values: FieldValues) {
    for field in ProductField.allCases { take(field, from: values) }
  }
}
