#include "store/store.h"

#include <fmt/format.h>

#include <set>

#include "base/hash.h"
#include "base/new_file.h"
#include "store/configuration.h"
#include "store/visit_metadata.h"

namespace dowser {
namespace {

constexpr char kUnsorted[] = "index.unsorted";

WarcWriterOptions writer_options(const StoreOptions& options) {
  WarcWriterOptions writer;
  writer.folder = options.folder / "archive";
  writer.info.add("software", options.software);
  // warc-fields are lines: the configuration goes in with one field a setting.
  size_t begin = 0;
  while (begin < options.configuration.size()) {
    const size_t end =
        std::min(options.configuration.find('\n', begin), options.configuration.size());
    const std::string_view line =
        std::string_view(options.configuration).substr(begin, end - begin);
    const size_t equals = line.find(" = ");
    if (equals != line.npos && !line.starts_with("out ")) {
      writer.info.add("dowser-" + std::string(line.substr(0, equals)),
                      std::string(line.substr(equals + 3)));
    }
    begin = end + 1;
  }
  return writer;
}

// What a crawl leaves that was killed before it had written its configuration.
bool holds_nothing(const std::filesystem::path& folder) {
  std::error_code failed;
  for (auto it = std::filesystem::directory_iterator(folder, failed);
       !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    // Left by a crawl that was killed as it began.
    if (!it->path().filename().string().starts_with(".crawl.toml.dowser-new")) return false;
  }
  return !failed;
}

}  // namespace

Status Store::make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  if (std::filesystem::exists(folder, failed)) {
    if (!std::filesystem::is_directory(folder, failed)) {
      return Error{fmt::format("{} is a file: name a folder with --out", folder.string())};
    }
    if (!holds_nothing(folder)) {
      const bool is_crawl = std::filesystem::exists(folder / "crawl.toml", failed);
      return Error{fmt::format(
          "{} is not empty: name a new folder with --out{}", folder.string(),
          is_crawl ? ", or continue the crawl in it with  dowser resume " + folder.string() : "")};
    }
  }
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{fmt::format("cannot make the folder {}: {}; name another one with --out",
                             folder.string(), failed.message())};
  }
  return {};
}

Result<std::unique_ptr<Store>> Store::create(StoreOptions options, bool in_place) {
  if (Status s = in_place ? Status{} : make_folder(options.folder); !s) return s.error();
  if (Status s = replace_own_file(options.folder / "crawl.toml", options.configuration); !s)
    return s.error();
  Result<Catalogue> catalogue = Catalogue::create(options.folder / "catalogue.sqlite");
  if (!catalogue) return catalogue.error();
  if (Status s = catalogue->add_run(options.configuration, SystemClock().now()); !s)
    return s.error();
  Result<UnsortedIndex> index =
      UnsortedIndex::open(options.folder / kUnsorted, options.folder / "archive");
  if (!index) return index.error();
  return std::unique_ptr<Store>(
      new Store(std::move(options), std::move(*catalogue), std::move(*index)));
}

Result<std::unique_ptr<Store>> Store::open(StoreOptions options) {
  Result<Catalogue> catalogue = Catalogue::open(options.folder / "catalogue.sqlite");
  if (!catalogue) return catalogue.error();
  Result<UnsortedIndex> index =
      UnsortedIndex::open(options.folder / kUnsorted, options.folder / "archive");
  if (!index) return index.error();
  return std::unique_ptr<Store>(
      new Store(std::move(options), std::move(*catalogue), std::move(*index)));
}

Status Store::resume_at(const StoreMark& mark, SetAside& set_aside) {
  // The catalogue first: it is the part that another program may have locked.
  if (Status s = announce_configuration(options_.folder, options_.configuration); !s) return s;
  if (Status s = catalogue_.cut_to(mark.visits, set_aside); !s) return s;
  if (Status s = catalogue_.add_run(options_.configuration, SystemClock().now()); !s) return s;
  if (Status s = writer_.resume_at(mark.archive, set_aside); !s) return s;
  if (Status s = index_.repair(mark.archive); !s) return s;
  visits_ = mark.visits;
  kept_ = mark.archive;
  return adopt_configuration(options_.folder);
}

Store::Store(StoreOptions options, Catalogue catalogue, UnsortedIndex index)
    : options_(std::move(options)),
      writer_(writer_options(options_)),
      index_(std::move(index)),
      catalogue_(std::move(catalogue)) {}

Status Store::write(const PackedRecord& record, ArchivePlace* place) {
  const Result<WrittenRecord> written = writer_.write(record);
  if (!written) return written.error();
  if (place) *place = {written->file, static_cast<int64_t>(written->place.offset), ""};
  if (record.index_line) {
    CdxEntry line = *record.index_line;
    line.filename = written->file;
    line.offset = written->place.offset;
    line.length = written->place.length;
    index_.add(line);
  }
  return {};
}

ArchiveForm archive_form(const Response& response, std::string_view user_agent, uint32_t salt,
                         const Document* document) {
  ArchiveForm form;
  form.digest = sha1_digest(response.body);
  WarcRecord record =
      response.unchanged_since
          ? not_modified_record(response, response.url, *response.unchanged_since, form.digest)
          : response_record(response);
  // Also the index and the catalogue need the digest: it is made once, here.
  if (!record.payload_digest()) record.headers.add("WARC-Payload-Digest", form.digest);
  form.response = pack_record(record, true, salt);
  // As it was sent; on an archived web as it would have been.
  const std::string head =
      !response.request_head.empty()
          ? response.request_head
          : fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {}\r\n\r\n",
                        response.url.request_target(), response.url.host(), user_agent);
  WarcRecord request = request_record(response.url, response.fetched_at, head);
  request.headers.add("WARC-Concurrent-To", form.response.id);
  form.request = pack_record(request, true, salt);
  if (document && !document->text.empty()) {
    form.conversion = pack_record(
        conversion_record(response.url, response.fetched_at, form.response.id, document->text),
        true, salt);
  }
  return form;
}

Status Store::archive(const ArchiveForm& form, ArchivePlace& place) {
  if (Status s = write(form.response, &place); !s) return s;
  place.digest = form.digest;
  if (Status s = write(form.request, nullptr); !s) return s;
  return form.conversion ? write(*form.conversion, nullptr) : Status{};
}

Status Store::archive_metadata(const Visit& visit) {
  std::string parent;
  if (visit.candidate.trail.parent) {
    Result<std::string> url = catalogue_.url_of(*visit.candidate.trail.parent);
    if (!url) return url.error();
    parent = std::move(*url);
  }
  const Headers fields = metadata_fields(visit, {options_.judge, options_.strategy, parent});
  return write(pack_record(metadata_record(visit.response.url, visit.response.fetched_at, fields)),
               nullptr);
}

Status Store::archive(const KeptVisit& kept, ArchivePlace& place) {
  const Visit& visit = kept.visit;
  const bool answered = visit.response.failure == Failure::kNone;
  std::set<std::string> ids;
  for (size_t i = 0; i < visit.redirects.size() + answered; ++i) {
    const Response& response = i < visit.redirects.size() ? visit.redirects[i] : visit.response;
    // A redirect in a circle may bring the very same answer twice.
    const bool is_ready = i < kept.forms.size() && ids.insert(kept.forms[i].response.id).second;
    const auto salt = static_cast<uint32_t>(i);
    const bool is_last = i == visit.redirects.size();
    const Document* document = is_last && visit.document ? &*visit.document : nullptr;
    Status done = is_ready
                      ? archive(kept.forms[i], place)
                      : archive(archive_form(response, options_.user_agent, salt, document), place);
    if (!done.ok()) return done;
  }
  return archive_metadata(visit);
}

Status Store::add(const KeptVisit& kept) {
  ArchivePlace place;
  if (Status s = archive(kept, place); !s) return s;
  if (kept.visit.response.failure != Failure::kNone) place = {};
  if (Status s = catalogue_.add(kept.visit, kept.links, place); !s) return s;
  ++visits_;
  return {};
}

Result<std::vector<StoreMark>> Store::keep(std::span<const KeptVisit> visits) {
  std::vector<StoreMark> marks;
  if (Status s = catalogue_.begin(); !s) return s.error();
  Status done;
  for (const KeptVisit& kept : visits) {
    done = add(kept);
    if (!done.ok()) break;
    marks.push_back({visits_, writer_.end()});
  }
  if (done.ok()) done = index_.flush();
  if (done.ok()) done = catalogue_.commit();
  if (done.ok()) {
    kept_ = writer_.end();
    return marks;
  }
  catalogue_.undo();
  return done.error();
}

Status Store::keep(const Visit& visit, std::span<const FoundLink> links) {
  const KeptVisit one{visit, {links.begin(), links.end()}, {}, {}};
  const auto marks = keep(std::span(&one, 1));
  return marks ? Status{} : Status(marks.error());
}

Status Store::sync() {
  if (Status s = writer_.sync(); !s) return s;
  return catalogue_.sync();
}

Status Store::finish() {
  if (Status s = writer_.sync(); !s) return s;
  if (Status s = index_.write_sorted(options_.folder / "index.cdxj", kept_); !s) return s;
  return catalogue_.finish_run(SystemClock().now());
}

}  // namespace dowser
