#include "document/jail.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/securebits.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace dowser {
namespace {

// What converters need: themselves, their libraries, fonts and character maps.
constexpr std::array kReadable = {"/usr",
                                  "/lib",
                                  "/lib64",
                                  "/bin",
                                  "/etc/fonts",
                                  "/etc/ld.so.cache",
                                  "/etc/ghostscript",
                                  "/etc/catdocrc",
                                  "/etc/antiword",
                                  "/var/lib/ghostscript",
                                  "/var/cache/fontconfig",
                                  "/dev/null",
                                  "/dev/urandom"};

constexpr int kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;

// Calls that no converter needs. They fail with EPERM.
constexpr std::array kForbidden = {
    // sockets
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg),
    // other processes; no new ones either, so that none can be left behind
    SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kill), SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(pidfd_getfd), SCMP_SYS(setsid), SCMP_SYS(setpgid),
    // the file system as a whole
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
    SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fsmount),
    SCMP_SYS(truncate), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at), SCMP_SYS(unshare),
    SCMP_SYS(setns),
    // the kernel
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime)};

Error failed(std::string_view what) {
  return {fmt::format("a document could not be confined: {}: {}", what, std::strerror(errno))};
}

Status set_limit(__rlimit_resource which, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  if (setrlimit(which, &limit) != 0) return failed("setrlimit");
  return {};
}

Status set_limits(const JailLimits& limits) {
  // At the soft limit SIGXCPU ends the process, which the parent recognises.
  if (Status s = set_limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1); !s) return s;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The shadow memory of the sanitizers takes terabytes of addresses.
  if (Status s = set_limit(RLIMIT_AS, limits.memory_bytes, limits.memory_bytes); !s) return s;
#endif
  if (Status s = set_limit(RLIMIT_FSIZE, 0, 0); !s) return s;
  if (Status s = set_limit(RLIMIT_NOFILE, 64, 64); !s) return s;
  return set_limit(RLIMIT_CORE, 0, 0);
}

bool write_text(const char* path, std::string_view text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return written;
}

Status enter_new_namespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(kNamespaces) != 0) return failed("unshare");
  write_text("/proc/self/setgroups", "deny");
  if (!write_text("/proc/self/uid_map", fmt::format("0 {} 1", user)) ||
      !write_text("/proc/self/gid_map", fmt::format("0 {} 1", group))) {
    return failed("uid_map");
  }
  return {};
}

// A link such as /lib -> usr/lib is made again, a folder or file appears read-only.
Status show_in_new_root(const std::string& path) {
  struct stat about;
  if (lstat(path.c_str(), &about) != 0) return {};
  const std::string there = "/tmp" + path;
  for (size_t slash = there.find('/', 5); slash != std::string::npos;
       slash = there.find('/', slash + 1)) {
    mkdir(there.substr(0, slash).c_str(), 0755);
  }
  if (S_ISLNK(about.st_mode)) {
    char target[256];
    const ssize_t size = readlink(path.c_str(), target, sizeof target - 1);
    if (size < 0) return failed(path);
    target[size] = '\0';
    return symlink(target, there.c_str()) == 0 ? Status() : failed(path);
  }
  if (S_ISDIR(about.st_mode)) {
    mkdir(there.c_str(), 0755);
  } else {
    close(open(there.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  }
  if (mount(path.c_str(), there.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0 ||
      mount(nullptr, there.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID,
            nullptr) != 0) {
    return failed(path);
  }
  return {};
}

// Only where Landlock is missing: the process sees a file system of its own that has nothing but
// kReadable.
Status enter_new_root() {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return failed("mount /");
  if (mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m") != 0) return failed("tmpfs");
  for (const char* path : kReadable) {
    if (Status s = show_in_new_root(path); !s) return s;
  }
  if (chdir("/tmp") != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
      umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) {
    return failed("pivot_root");
  }
  if (mount(nullptr, "/", nullptr, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0) {
    return failed("remount");
  }
  return {};
}

int landlock_version() {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, 1));
}

Status enter_landlock() {
  constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
  constexpr uint64_t kList = LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr uint64_t kFirstVersion = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = kFirstVersion;
  if (landlock_version() >= 2) rules.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
  const int set = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  if (set < 0) return failed("Landlock");
  for (const char* path : kReadable) {
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) continue;
    struct stat about;
    const bool is_folder = fstat(file, &about) == 0 && S_ISDIR(about.st_mode);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = is_folder ? kRead | kList : kRead;
    rule.parent_fd = file;
    const long added = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
    if (added != 0) return failed(path);
  }
  if (syscall(SYS_landlock_restrict_self, set, 0) != 0) return failed("Landlock");
  close(set);
  return {};
}

// Nothing that root may do and others may not, also after execve.
Status drop_capabilities() {
  prctl(PR_SET_SECUREBITS,
        SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
            SECBIT_NO_SETUID_FIXUP_LOCKED);  // fails where there are none to drop
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> none{};
  if (syscall(SYS_capset, &header, none.data()) != 0) return failed("capset");
  return {};
}

Status enter_seccomp() {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return failed("seccomp");
  int error = 0;
  for (const int call : kForbidden) {
    error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  // abort() signals its own process, which is all that is allowed.
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_NE, static_cast<scmp_datum_t>(getpid())));
  if (error == 0) error = seccomp_load(filter);
  seccomp_release(filter);
  return error == 0 ? Status() : failed("seccomp");
}

bool child_can(Status (*action)()) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) _exit(action().ok() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Status try_namespaces() {
  if (Status s = enter_new_namespaces(); !s) return s;
  return enter_new_root();
}

Status try_seccomp() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return enter_seccomp();
}

}  // namespace

std::string JailSupport::missing() const {
  std::string names;
  const auto add = [&](bool there, std::string_view name) {
    if (!there) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  add(landlock, "Landlock");
  add(namespaces, "user namespaces");
  add(seccomp, "seccomp");
  if (names.empty()) return "";
  return fmt::format(
      "this kernel does not offer {}: {}", names,
      is_enough() ? "documents are converted without it"
                  : "documents are not converted, because the converters could not be confined");
}

JailSupport jail_support() {
  JailSupport support;
  support.landlock = landlock_version() >= 1;
  support.namespaces = child_can(try_namespaces);
  support.seccomp = child_can(try_seccomp);
  return support;
}

Status enter_namespaces(JailSupport& support) {
  if (!support.namespaces || support.in_namespaces) return {};
  if (Status s = enter_new_namespaces(); !s) return s;
  if (!support.landlock) {
    if (Status s = enter_new_root(); !s) return s;
  }
  support.in_namespaces = true;
  return {};
}

Status enter_jail(JailSupport support, const JailLimits& limits) {
  if (!support.is_enough()) return Error{support.missing()};
  if (Status s = enter_namespaces(support); !s) return s;
  if (Status s = set_limits(limits); !s) return s;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
  if (support.landlock) {
    if (Status s = enter_landlock(); !s) return s;
  }
  if (Status s = drop_capabilities(); !s) return s;
  return enter_seccomp();
}

}  // namespace dowser
