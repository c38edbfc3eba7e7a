/// The port to what a person keeps: one private file of this home, shared by all running programs.
///
/// What cannot be read is empty, and what cannot be kept is said by the answer: nothing here keeps the
/// program from starting.
package protocol PersonalDataStore: SearchHistoryStore, VisitStore, SeenProductStore,
  FavoritesStore, AlertStore,
  KnownMarketStore
{}
