# The table of named character references is written at build time, not kept in the tree.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(entities ${CMAKE_BINARY_DIR}/generated/parse/entities.inc)
add_custom_command(
  OUTPUT ${entities}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/parse
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/src/parse/make_entities.py ${entities}
  DEPENDS ${CMAKE_SOURCE_DIR}/src/parse/make_entities.py
  VERBATIM)
target_sources(dowser_parse PRIVATE ${entities})
target_include_directories(dowser_parse PRIVATE ${CMAKE_BINARY_DIR}/generated)
