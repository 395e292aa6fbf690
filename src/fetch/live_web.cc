#include "fetch/live_web.h"

#include <ares.h>
#include <curl/curl.h>
#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <mutex>

#include "base/hash.h"
#include "fetch/fetch_loop.h"

namespace dowser {
namespace {

void init_libraries() {
  static std::once_flag once;
  std::call_once(once, [] {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    ares_library_init(ARES_LIB_INIT_ALL);
  });
}

// Open files for all else: the archive, the catalogue, name servers, pipes.
constexpr rlim_t kOtherFiles = 256;
// A transfer has two sockets while it connects: curl tries IPv4 and IPv6 side by side.
constexpr rlim_t kFilesEach = 2;

// How many transfers a thread may have at a time. The limit of open files is raised for them as far
// as the system allows; the usual 1,024 would make refused connections of our own lack of files.
size_t transfers_per_thread(size_t threads) {
  const rlim_t wanted = kOtherFiles + threads * FetchLoop::kMaxTransfers * kFilesEach;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < std::min(wanted, files.rlim_max)) {
    files.rlim_cur = std::min(wanted, files.rlim_max);
    setrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_NOFILE, &files);
  }
  const rlim_t ours = files.rlim_cur - std::min(files.rlim_cur, kOtherFiles);
  return std::clamp<size_t>(ours / threads / kFilesEach, 1, FetchLoop::kMaxTransfers);
}

std::unique_ptr<const FetchSetup> make_setup(LiveWebOptions options, LiveWeb::Done done,
                                             size_t threads) {
  auto setup = std::make_unique<FetchSetup>();
  setup->max_transfers = transfers_per_thread(threads);
  for (const std::string& host : options.allowed_hosts) setup->allowed.add(host);
  for (const auto& [host, address] : options.resolve_to) setup->elsewhere.add(host, address);
  setup->connections =
      std::make_unique<AddressConnections>(options.on_no_connection ? options.max_per_address : 0);
  setup->options = std::move(options);
  setup->done = std::move(done);
  return setup;
}

}  // namespace

bool is_unwanted_type(std::string_view type) {
  // An image that is a document: it has words and links.
  if (type == "image/svg+xml") return false;
  constexpr std::string_view kKinds[] = {"image/", "audio/", "video/", "font/", "model/"};
  constexpr std::string_view kTypes[] = {
      "application/octet-stream",
      "application/zip",
      "application/gzip",
      "application/x-gzip",
      "application/x-tar",
      "application/x-bzip2",
      "application/x-xz",
      "application/zstd",
      "application/x-7z-compressed",
      "application/vnd.rar",
      "application/x-rar-compressed",
      "application/java-archive",
      "application/x-msdownload",
      "application/vnd.android.package-archive",
      "application/x-debian-package",
      "application/x-iso9660-image",
      "application/x-shockwave-flash",
      "application/ogg",
      "application/wasm",
      "application/font-woff",
  };
  return std::ranges::any_of(kKinds, [&](auto kind) { return type.starts_with(kind); }) ||
         std::ranges::find(kTypes, type) != std::end(kTypes);
}

BodyPlan usual_plan(const Url&, const Response& head) {
  return {is_unwanted_type(head.content_type()) ? Failure::kUnwantedType : Failure::kNone};
}

LiveWeb::LiveWeb(LiveWebOptions options, Done done) {
  init_libraries();
  int threads = options.threads;
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  setup_ = make_setup(std::move(options), std::move(done), static_cast<size_t>(threads));
  for (int i = 0; i < threads; ++i) loops_.push_back(std::make_unique<FetchLoop>(*setup_));
}

LiveWeb::~LiveWeb() = default;

void LiveWeb::start(uint64_t job, const Url& url, Validators validators, Types types) {
  FetchLoop& loop = *loops_[hash64(name_without_dot(url)) % loops_.size()];
  loop.start({job, url, std::move(validators), types});
}

struct LiveWebSync::Answer {
  std::promise<Response> promise;
};

LiveWebSync::LiveWebSync(LiveWebOptions options)
    : answer_(std::make_unique<Answer>()),
      web_(
          [&] {
            options.threads = 1;
            return std::move(options);
          }(),
          [this](uint64_t, Response response, ByteLease) {
            answer_->promise.set_value(std::move(response));
          }) {}

LiveWebSync::~LiveWebSync() = default;

Response LiveWebSync::get(const Url& url, Validators validators) {
  answer_->promise = {};
  std::future<Response> future = answer_->promise.get_future();
  web_.start(0, url, std::move(validators));
  return future.get();
}

}  // namespace dowser
