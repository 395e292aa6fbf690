#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "learn/example.h"

// What the tests of several learners need.

namespace dowser {

using Entries = std::vector<SparseVector::Entry>;

inline SparseVector vector_of(Entries entries) { return SparseVector(std::move(entries)); }

// Features of the slow references: number i stands for the index spread(i), since indexes are
// hashes.
inline uint32_t spread(uint32_t i) { return i * 2654435761u; }

// Counts of `words` draws from `features` features; every second draw is from the part that the
// class favours.
inline SparseVector made_document(Random& random, uint32_t features, uint32_t words, uint32_t label,
                                  uint32_t classes) {
  Entries entries;
  const uint32_t part = features / classes;
  for (uint32_t i = 0; i < words; ++i) {
    const bool own = random.below(2) == 0;
    const auto f =
        static_cast<uint32_t>(own ? label * part + random.below(part) : random.below(features));
    entries.push_back({spread(f), 1});
  }
  return SparseVector(std::move(entries));
}

inline std::vector<Example> made_examples(uint64_t seed, size_t count, uint32_t features,
                                          uint32_t words, uint32_t classes) {
  Random random(seed);
  std::vector<Example> examples;
  for (size_t i = 0; i < count; ++i) {
    const auto label = static_cast<uint32_t>(i % classes);
    examples.push_back({made_document(random, features, words, label, classes), label});
  }
  return examples;
}

inline std::vector<Example> unit_length(std::vector<Example> examples) {
  for (Example& e : examples) e.vector = e.vector.normalised();
  return examples;
}

inline std::vector<double> dense(const SparseVector& v, uint32_t features) {
  std::vector<double> d(features);
  for (uint32_t i = 0; i < features; ++i) d[i] = v.at(spread(i));
  return d;
}

// Save and load give the same parts, and bytes cut anywhere or of another kind an error.
template <class Model>
void expect_survives_saving(const Model& model) {
  ByteWriter out;
  model.save(out);
  const std::string& bytes = out.bytes();
  ByteReader in(bytes);
  const Result<Model> loaded = Model::load(in);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(loaded->parts() == model.parts());
  const size_t step = bytes.size() / 500 + 1;
  for (size_t size = 0; size < bytes.size(); size += step) {
    ByteReader cut(std::string_view(bytes).substr(0, size));
    const Result<Model> none = Model::load(cut);
    ASSERT_FALSE(none) << size;
    EXPECT_NE(none.error().message.find("is cut short"), std::string::npos) << none.error().message;
  }
  std::string other = bytes;
  other[4] ^= 1;  // in the name of the kind
  ByteReader wrong(other);
  const Result<Model> none = Model::load(wrong);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("not a saved model of"), std::string::npos);
  // Whatever the bytes, loading ends with a model or an error.
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::string broken = bytes;
    for (int n = 0; n < 3; ++n) {
      const size_t begin = 4 + Model::kKind.size();
      broken[begin + random.below(broken.size() - begin)] = static_cast<char>(random.next());
    }
    ByteReader reader(broken);
    static_cast<void>(Model::load(reader));
  }
}

}  // namespace dowser
