// Tests of tasks that wait for a value behind a lock.

import StreamingThread
import Testing

@testable import GStreamer

@Suite final class SharedTests: Sendable {
  private let numbers = Shared<[Int]>([])
  private let looks = Lock(0)

  /// Waits for a number, and takes it out; one that is cancelled takes none.
  private func take(_ number: Int? = nil, isCancellable: Bool = true) async -> Int? {
    await numbers.wait { [self] left -> Int?? in
      looks.withLock { $0 += 1 }
      guard let index = left.firstIndex(where: { number == nil || $0 == number }) else {
        return nil
      }
      return .some(left.remove(at: index))
    } onCancel: { _ in
      isCancellable ? .some(nil) : nil
    }
  }

  /// Waits until so many waits have begun: each with a look of its own, after which the others look, and then a look of
  /// all with it.
  private func waits(_ count: Int) async {
    while looks.withLock({ $0 }) < count * (count + 1) { await Task.yield() }
  }

  @Test func aWaitThatIsOverAtOnceChangesTheValue() async {
    numbers.value = [4]
    #expect(await take() == 4)
    #expect(numbers.value == [])
  }

  @Test func waitsEndInTheOrderInWhichTheyBegan() async {
    var tasks: [Task<Int?, Never>] = []
    for count in 1...3 {
      tasks.append(Task { await take() })
      await waits(count)
    }
    numbers.withLock { $0 += [1, 2] }
    #expect(await tasks[0].value == 1)
    #expect(await tasks[1].value == 2)
    numbers.withLock { $0 += [3] }
    #expect(await tasks[2].value == 3)
  }

  @Test func whatAWaitDoesToTheValueMayEndOneFromBefore() async {
    numbers.value = [7]
    let emptied = Task {
      await numbers.wait { [self] numbers in
        looks.withLock { $0 += 1 }
        return numbers.isEmpty ? () : nil
      } onCancel: { _ in
        nil
      }
    }
    await waits(1)
    #expect(await take(7) == 7)
    await emptied.value
  }

  @Test func aCancelledWaitEndsAsItSays() async {
    let patient = Task { await take(isCancellable: false) }
    await waits(1)
    let impatient = Task { await take() }
    await waits(2)
    impatient.cancel()
    patient.cancel()
    #expect(await impatient.value == nil)
    numbers.value = [5]
    #expect(await patient.value == 5)
  }

  @Test func aCancelledTaskDoesNotWait() async {
    let task = Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await take()
    }
    #expect(await task.value == nil)
  }
}
