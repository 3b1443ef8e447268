// Tests of the agenda of scheduled actions.

import Testing

@testable import SlitScanStage

@Suite struct AgendaTests {
  @Test func dueActionsComeInOrderAndOfAKindOnlyTheLast() {
    let begin = ContinuousClock.now
    var agenda = Agenda<String>()
    agenda.put("map", at: begin + .seconds(3), "map 1")
    agenda.put("mode", at: begin + .seconds(2), "mode")
    agenda.put("glide", at: begin + .seconds(2), "glide")
    agenda.put("map", at: begin + .seconds(1), "map 2")
    agenda.put("gone", at: begin, "gone")
    agenda.remove("gone")
    #expect(agenda.nextMoment == begin + .seconds(1))
    #expect(agenda.next(by: begin) == nil)
    #expect(agenda.next(by: begin + .seconds(9)) == "map 2")
    #expect(agenda.next(by: begin + .seconds(2)) == "mode")
    #expect(agenda.next(by: begin + .seconds(2)) == "glide")
    #expect(agenda.next(by: begin + .seconds(9)) == nil)
    #expect(agenda.nextMoment == nil)
  }
}
