#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dowser {

// Reduces words to their stems ("crawlers", "crawling" -> "crawl") by the Snowball algorithms. Not
// thread-safe: every thread has its own. Cheap to make: the cache of stems, 512 kB, is allocated
// with the first word.
class Stemmer {
 public:
  // `algorithm` is a language by its ISO 639 code or English name ("de", "german"), or "porter" for
  // Porter's original algorithm. If there is none of that name, stem() returns words unchanged.
  explicit Stemmer(std::string_view algorithm);
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  // The stem of a word in lower case, never empty unless the word is. Valid until the next call.
  std::string_view stem(std::string_view word);

 private:
  struct Cache;
  struct Delete {
    void operator()(void* algorithm) const;
  };

  std::string_view uncached_stem(std::string_view word);

  std::unique_ptr<void, Delete> algorithm_;  // libstemmer's sb_stemmer
  std::unique_ptr<Cache> cache_;
};

}  // namespace dowser
