// Tests of the limits that control groups set.

import CLinux
import Foundation
import TemporaryFolder
import Testing

@Suite struct LinuxLimitTests {
  /// The value that is read in a system whose root has these files.
  private func read<Value>(
    _ files: [String: String], _ body: (UnsafePointer<CChar>) -> Value
  ) throws -> Value {
    let root = TemporaryFolder()
    defer { withExtendedLifetime(root) {} }
    for (path, text) in files {
      let file = root.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: file)
    }
    return unsafe root.path.withCString { unsafe body($0) }
  }

  private func limit(_ files: [String: String]) throws -> UInt64 {
    try unsafe read(files) { unsafe linux_memory_limit($0) }
  }

  private func processors(_ files: [String: String]) throws -> UInt32 {
    try unsafe read(files) { unsafe linux_processors($0) }
  }

  private let machine = UInt64(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))

  @Test func withoutGroupsItIsTheMachines() throws {
    #expect(try limit([:]) == machine)
    #expect(try limit(["proc/self/cgroup": "0::/"]) == machine)
    #expect(try limit(["proc/self/cgroup": "nothing\n1:\n\n:::\n"]) == machine)
  }

  @Test func theSmallestAboveAGroupCounts() throws {
    let path = "sys/fs/cgroup/user/app"
    for (limits, expected) in [
      (["max", "max", "max"], machine), (["5000", "max", "max"], 5000),
      (["max", "6000", "7000"], 6000), (["9000", "8000", "7000"], 7000),
      (["18446744073709551615", "max", "99999999999999999999"], machine),
    ] {
      var files = ["proc/self/cgroup": "0::/user/app"]
      files["\(path)/../../memory.max"] = limits[0]
      files["\(path)/../memory.max"] = limits[1]
      files["\(path)/memory.max"] = limits[2]
      #expect(try limit(files) == expected, "\(limits)")
    }
  }

  @Test func inAContainerTheGroupIsTheRoot() throws {
    #expect(try limit(["proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "4000"]) == 4000)
    // Its path may be the one outside.
    #expect(
      try limit([
        "proc/self/cgroup": "0::/docker/5f2c", "sys/fs/cgroup/memory.max": "4000",
      ]) == 4000)
  }

  @Test func versionOneCountsAsWell() throws {
    let groups = "9:cpu,cpuacct:/box\n4:hugetlb,memory:/box/inner\n1:memory2:/\n0::/box"
    let folder = "sys/fs/cgroup/memory"
    #expect(
      try limit([
        "proc/self/cgroup": groups, "\(folder)/memory.limit_in_bytes": "9223372036854771712",
        "\(folder)/box/memory.limit_in_bytes": "3000",
        "\(folder)/box/inner/memory.limit_in_bytes": "9223372036854771712",
      ]) == 3000)
    // Version 2 beside it, and both.
    #expect(
      try limit([
        "proc/self/cgroup": groups, "\(folder)/box/memory.limit_in_bytes": "3000",
        "sys/fs/cgroup/unified/box/memory.max": "2000",
      ]) == 2000)
  }

  @Test func aQuotaOfProcessorsCountsInWholeOnes() throws {
    let all = try processors([:])
    #expect(all >= 1)
    for (quota, expected) in [
      ("max 100000", all), ("100000 100000", 1), ("1000 100000", 1), ("199999 100000", 1),
      ("200000 100000", min(all, 2)), ("99999999999 100000", all), ("100000", all),
      ("100000 0", all), ("nonsense", all),
    ] {
      let files = ["proc/self/cgroup": "0::/box", "sys/fs/cgroup/box/cpu.max": quota]
      #expect(try processors(files) == expected, "\(quota)")
    }
    // That of a group in which this one lies.
    #expect(
      try processors(["proc/self/cgroup": "0::/box", "sys/fs/cgroup/cpu.max": "100000 100000"])
        == 1)
    // Memory is not processors.
    #expect(try processors(["proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": "1"]) == all)
  }

  @Test func aQuotaOfVersionOneCountsAsWell() throws {
    let all = try processors([:])
    for (quota, expected) in [("-1", all), ("50000", 1), ("9000000", all)] {
      let files = [
        "proc/self/cgroup": "4:cpu,cpuacct:/box\n3:memory:/other",
        "sys/fs/cgroup/cpu/box/cpu.cfs_quota_us": quota,
        "sys/fs/cgroup/cpu/box/cpu.cfs_period_us": "100000",
      ]
      #expect(try processors(files) == expected, "\(quota)")
    }
  }
}
