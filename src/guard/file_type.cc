#include "guard/file_type.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "model/percent_encode.h"

namespace dowser {
namespace {

// Not in the lists although they name such files: "js" (/wiki/Node.js), "com" (/wiki/Example.com),
// "pl" and "cgi" (programs that write pages), "xml" and "rdf" (feeds).
constexpr std::string_view kDocuments[] = {"pdf", "ps",  "eps", "doc", "docx",
                                           "odt", "rtf", "tex", "ltx", "latex"};
constexpr std::string_view kOffice[] = {"ppt",  "pptx", "odp", "pps", "xls", "xlsx", "ods",
                                        "djvu", "epub", "dvi", "sxw", "csv", "mobi"};
constexpr std::string_view kTexts[] = {"txt", "text", "xml"};
constexpr std::string_view kMedia[] = {
    "gif",  "jpg",  "jpeg", "jpe", "png", "bmp", "tif",  "tiff", "ico", "svg",  "svgz", "webp",
    "avif", "heic", "psd",  "xbm", "xpm", "pbm", "pgm",  "ppm",  "pcx", "mp3",  "mp2",  "wav",
    "au",   "aif",  "aiff", "ogg", "oga", "ogv", "opus", "flac", "m4a", "aac",  "mid",  "midi",
    "ra",   "ram",  "rm",   "m3u", "mp4", "m4v", "mpg",  "mpeg", "mpe", "mov",  "qt",   "avi",
    "wmv",  "wma",  "webm", "mkv", "flv", "swf", "css",  "woff", "ttf", "woff2"};
constexpr std::string_view kArchives[] = {"zip", "gz",  "tgz", "z",   "bz2",  "tbz", "xz",  "txz",
                                          "7z",  "rar", "tar", "lha", "lzh",  "arj", "zst", "hqx",
                                          "sit", "iso", "img", "cab", "warc", "dmg", "cpio"};
constexpr std::string_view kPrograms[] = {"exe", "msi", "dll", "bin", "deb", "rpm", "apk",  "jar",
                                          "so",  "o",   "a",   "ko",  "pkg", "msp", "class"};
constexpr std::string_view kCompressed[] = {"gz", "z", "bz2", "xz", "zst"};

template <size_t N>
bool holds(const std::string_view (&list)[N], std::string_view extension) {
  return std::find(std::begin(list), std::end(list), extension) != std::end(list);
}

// "ps" of "paper.PS"; "" if there is none, or it is too long to be in a list.
std::string extension_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name.size() - dot > 6) return "";
  std::string extension(name.substr(dot + 1));
  for (char& c : extension) c = ascii_lower(c);
  return extension;
}

}  // namespace

FileType file_type(const Url& url) {
  const std::string_view path = url.path();
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string extension = extension_of(name);
  if (extension.empty() || name.find(':') != name.npos) return FileType::kPage;
  if (holds(kDocuments, extension)) return FileType::kDocument;
  if (holds(kOffice, extension)) return FileType::kOffice;
  if (holds(kMedia, extension)) return FileType::kMedia;
  if (holds(kPrograms, extension)) return url.has_query() ? FileType::kPage : FileType::kProgram;
  if (!holds(kArchives, extension)) return FileType::kPage;
  if (!holds(kCompressed, extension)) return FileType::kArchive;
  const std::string inner = extension_of(name.substr(0, name.rfind('.')));
  // Converters unpack gzip and nothing else.
  if ((holds(kDocuments, inner) || inner == "txt") && extension == "gz") return FileType::kDocument;
  return holds(kDocuments, inner) || holds(kOffice, inner) ? FileType::kOffice : FileType::kArchive;
}

bool names_document(const Url& url) {
  if (file_type(url) == FileType::kDocument) return true;
  const std::string_view path = url.path();
  return holds(kTexts, extension_of(path.substr(path.rfind('/') + 1)));
}

}  // namespace dowser
