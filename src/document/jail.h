#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

// Programs that read untrusted documents are large and old, so they run in a jail. A process
// that has entered it
//
//   - can read the system's programs, libraries and fonts, and no other file; it can write none,
//   - has no network and cannot make a socket of any kind,
//   - cannot gain privileges, trace or signal other processes, mount, or load anything into the
//   kernel,
//   - has limits on processor time, memory, and the size of files.
//
// Files are kept away by Landlock or, where the kernel has none, by a mount namespace; one of the
// two is needed. Everything stays in force for whatever the process executes.

namespace dowser {

struct JailLimits {
  uint32_t cpu_seconds = 20;
  uint64_t memory_bytes = 1u << 30;  // of addresses, as RLIMIT_AS counts them
};

// What this machine's kernel allows, found by trying in child processes.
struct JailSupport {
  bool landlock = false;
  bool namespaces = false;  // user, mount, network, IPC
  bool seccomp = false;
  bool in_namespaces = false;  // this process is, and so is whatever it starts

  bool is_enough() const { return seccomp && (landlock || namespaces); }
  // For a person: what is missing and what that means; "" if nothing is.
  std::string missing() const;
};
JailSupport jail_support();

// Enters the namespaces of the jail, if there are any, so that the processes started afterwards
// need not: half of what the jail costs each of them. The process must have one thread.
Status enter_namespaces(JailSupport& support);

// Enters the jail for good; to be called in a child process that has one thread, just before it
// executes or reads anything foreign. After an error the process must end.
Status enter_jail(JailSupport support, const JailLimits& limits);

}  // namespace dowser
