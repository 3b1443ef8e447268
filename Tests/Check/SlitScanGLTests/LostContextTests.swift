// Tests of a context of OpenGL that is lost, by what the driver answers then.

import Testing

@testable import SlitScanGL

@Suite struct LostContextTests {
  private static func isUsable(_ errors: [UInt32], thenForEver last: UInt32 = 0) -> Bool {
    var rest = errors[...]
    return GL.forgetErrors { rest.popFirst() ?? last }
  }

  @Test func errorsOfOthersAreForgotten() {
    #expect(Self.isUsable([]))
    #expect(Self.isUsable([0x0500, 0x0502, 0x0505, 0x0506]))
  }

  @Test func aLostContextIsSaidToBeLost() {
    #expect(!Self.isUsable([0x0507]))
    #expect(!Self.isUsable([0x0502, 0x0507]))
  }

  /// As of a driver that has given up; asking until there is none would hang the GL thread.
  @Test(arguments: [0x0502, 0x0507] as [UInt32]) func errorsWithoutEndAreALoss(error: UInt32) {
    #expect(!Self.isUsable([], thenForEver: error))
  }
}
