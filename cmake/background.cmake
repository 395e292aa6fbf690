# The background vocabulary (src/background/) is learned at build time from the documentation of
# these packages, which tools/install installs: general prose and help pages in many languages, of
# which no web that we test on is made.
set(BACKGROUND_PACKAGES anarchism fortunes fortunes-br fortunes-de fortunes-es fortunes-it fortunes-ru
    gnome-user-docs live-manual-html manpages-da manpages-nb manpages-ro manpages-tr)
set(lists)
set(missing)
foreach(package ${BACKGROUND_PACKAGES})
  set(list /var/lib/dpkg/info/${package}.list)
  if(EXISTS ${list})
    list(APPEND lists ${list})
  else()
    list(APPEND missing ${package})
  endif()
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(STATUS "The background vocabulary lacks ${missing} (tools/install build installs them)")
endif()

# Made again where packages or the way that terms are made have changed, not whenever the program
# that makes it is linked anew: so no DEPENDS on that.
set(background ${CMAKE_BINARY_DIR}/generated/background/background.inc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/background)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/text/*.cc)
list(FILTER sources INCLUDE REGEX "/(analyzer|char_kind|language|stems|stop_words.*|terms|tokens)\\.cc$")
list(APPEND sources ${CMAKE_SOURCE_DIR}/src/background/make_background.cc
     ${CMAKE_SOURCE_DIR}/src/background/background.h ${CMAKE_SOURCE_DIR}/src/base/hash.cc)
add_executable(make_background src/background/make_background.cc)
target_link_libraries(make_background PRIVATE dowser_text)
add_custom_command(OUTPUT ${background} COMMAND make_background ${background} ${lists}
                   DEPENDS ${sources} ${lists} VERBATIM)
target_sources(dowser_background PRIVATE ${background})
target_include_directories(dowser_background PRIVATE ${CMAKE_BINARY_DIR}/generated)
