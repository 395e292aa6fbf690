#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <string>

#include "tests/faults/crawls.h"

namespace dowser::faults {

// The crawls are made once for each suite. If that fails, each of its tests fails: an exception
// that leaves SetUpTestSuite() would make ctest report them as skipped.
class CrawlsFixture : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    work_ = temporary_folder();
    try {
      crawls_ = std::make_unique<Crawls>(programs_of_build(), work_);
    } catch (const std::exception& thrown) {
      problem_ = thrown.what();
    }
  }
  static void TearDownTestSuite() {
    crawls_.reset();
    std::filesystem::remove_all(work_);
  }
  void SetUp() override { ASSERT_TRUE(crawls_) << problem_; }

  inline static std::filesystem::path work_;
  inline static std::unique_ptr<Crawls> crawls_;
  inline static std::string problem_;
};

}  // namespace dowser::faults
