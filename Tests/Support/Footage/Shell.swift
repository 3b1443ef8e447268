// Runs shell commands.

import AwaitedProgram

/// Runs a line of shell; true if it succeeds.
package func shell(_ line: String) -> Bool { (try? AwaitedProgram.shell(line)) != nil }

/// Whether this process may mount file systems.
package let canMount = shell(
  "d=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs $d && umount $d && rmdir $d")
