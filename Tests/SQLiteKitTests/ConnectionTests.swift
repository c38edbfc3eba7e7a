import SQLiteKit
import Testing
