# One static library a folder of src/. Arguments after the folder name: the folders it may include,
# as in the table of ARCHITECTURE.md (tests/layers_test.cc checks the includes themselves), then
# after EXTERNAL the third-party libraries that its .cc files use.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(absl REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc icu-i18n)
pkg_check_modules(ROCKSDB REQUIRED IMPORTED_TARGET rocksdb)
pkg_check_modules(PSL REQUIRED IMPORTED_TARGET libpsl)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(UCHARDET REQUIRED IMPORTED_TARGET uchardet)
pkg_check_modules(BROTLI REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(CARES REQUIRED IMPORTED_TARGET libcares)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(EIGEN REQUIRED IMPORTED_TARGET eigen3)
find_path(SPECTRA_HEADERS Spectra/SymEigsSolver.h REQUIRED)
find_library(LINEAR_LIBRARY linear REQUIRED)
find_library(SVM_LIBRARY svm REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_library(CLD2_FULL_LIBRARY cld2_full REQUIRED)
find_library(CLD2_LIBRARY cld2 REQUIRED)
# cld2_full holds only tables, for twice as many languages: nobody asks for its symbols, but loaded
# before cld2 they take the place of the small ones.
set(CLD2_LIBRARIES -Wl,--push-state,--no-as-needed,${CLD2_FULL_LIBRARY},--pop-state ${CLD2_LIBRARY})

# What nearly every file includes is compiled once, with base, in release builds: a third of the
# time. The sanitizer builds do without, so that a file that lacks an include is found.
set(PRECOMPILED <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <span>
    <string> <string_view> <vector> <fmt/format.h> <absl/container/flat_hash_map.h>)

function(dowser_layer name)
  cmake_parse_arguments(ARG "" "" "EXTERNAL" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/cli/main.cc
       ${CMAKE_SOURCE_DIR}/src/background/make_background.cc)
  set(scope PUBLIC)
  if(sources)
    add_library(dowser_${name} STATIC ${sources})
  else()
    add_library(dowser_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(dowser_${name} ${scope} ${CMAKE_SOURCE_DIR}/src)
  foreach(below ${ARG_UNPARSED_ARGUMENTS})
    target_link_libraries(dowser_${name} ${scope} dowser_${below})
  endforeach()
  target_link_libraries(dowser_${name} ${scope} ${ARG_EXTERNAL})
  if(DOWSER_PRECOMPILE AND sources)
    if(name STREQUAL base)
      target_precompile_headers(dowser_base PRIVATE ${PRECOMPILED})
    else()
      target_precompile_headers(dowser_${name} REUSE_FROM dowser_base)
    endif()
  endif()
endfunction()

dowser_layer(base EXTERNAL fmt::fmt OpenSSL::Crypto ZLIB::ZLIB PkgConfig::DEFLATE PkgConfig::BROTLI
             PkgConfig::ZSTD PkgConfig::ROCKSDB absl::flat_hash_map absl::flat_hash_set absl::btree Threads::Threads)
dowser_layer(model base EXTERNAL PkgConfig::ICU PkgConfig::PSL)
dowser_layer(text base EXTERNAL PkgConfig::ICU PkgConfig::UCHARDET ${STEMMER_LIBRARY}
             ${CLD2_LIBRARIES})
dowser_layer(background base text)
include(cmake/background.cmake)
dowser_layer(learn base EXTERNAL nlohmann_json::nlohmann_json ${LINEAR_LIBRARY} ${SVM_LIBRARY} PkgConfig::EIGEN)
target_include_directories(dowser_learn SYSTEM PRIVATE ${SPECTRA_HEADERS})
dowser_layer(graph base)
dowser_layer(archive base model)
dowser_layer(frontier base model)
dowser_layer(fetch base model archive EXTERNAL PkgConfig::CURL PkgConfig::CARES)
dowser_layer(parse base model text)
include(cmake/entities.cmake)
dowser_layer(seed base model archive)
dowser_layer(guard base model text)
dowser_layer(judge base model text background learn)
dowser_layer(store base model archive EXTERNAL PkgConfig::SQLITE nlohmann_json::nlohmann_json)
dowser_layer(mine base model text learn graph archive parse store EXTERNAL ZLIB::ZLIB)
dowser_layer(strategy base model frontier text learn graph)
dowser_layer(engine base model text background learn graph archive seed frontier fetch parse guard judge store
             strategy
             EXTERNAL nlohmann_json::nlohmann_json)
dowser_layer(eval base model text graph archive frontier parse judge strategy engine
             EXTERNAL nlohmann_json::nlohmann_json)
dowser_layer(serve base model archive engine)
dowser_layer(cli base model text background learn graph archive seed frontier fetch parse guard judge store strategy
             engine eval serve mine
             EXTERNAL nlohmann_json::nlohmann_json)
