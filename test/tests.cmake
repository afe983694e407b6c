# SPDX-License-Identifier: Apache-2.0
# Tests: one executable a folder; they run in the source folder and find the command line in UPTACK_CLI.
# Included by CMakeLists.txt in the root, so that paths start there.

enable_testing()
set(test_environment UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=1)
if(TARGET uptack_cli)
  list(APPEND test_environment UPTACK_CLI=$<TARGET_FILE:uptack_cli>)
endif()
function(uptack_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "${test_environment}")
endfunction()

file(GLOB support CONFIGURE_DEPENDS test/support/*.c)
file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/test test/*)
list(REMOVE_ITEM folders support golden fuzz bad every_scene outside)
if(without_io)
  list(REMOVE_ITEM folders io oracle scenes)
endif()
foreach(module ${folders})
  file(GLOB sources CONFIGURE_DEPENDS test/${module}/*.c)
  if(sources)
    add_executable(test_${module} test/test_main.c ${support} ${sources})
    set_target_properties(test_${module} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
    target_include_directories(test_${module} PRIVATE test src)
    target_link_libraries(test_${module} PRIVATE uptack_static)
    uptack_use_hdf5(test_${module})
    uptack_test(${module} test_${module})
  endif()
endforeach()

# Siconos as an oracle of the papers' LCPs, where it is there; it leaks what the sanitizers find
if(TARGET test_seeds AND NOT EMSCRIPTEN AND NOT UPTACK_SANITIZE)
  find_path(SICONOS_INCLUDE siconos/numerics/LinearComplementarityProblem.h)
  find_library(SICONOS_NUMERICS siconos_numerics)
  if(SICONOS_INCLUDE AND SICONOS_NUMERICS)
    target_compile_definitions(test_seeds PRIVATE UPTACK_HAVE_SICONOS)
    target_include_directories(test_seeds SYSTEM PRIVATE
      ${SICONOS_INCLUDE} ${SICONOS_INCLUDE}/siconos ${SICONOS_INCLUDE}/siconos/numerics)
    target_link_libraries(test_seeds PRIVATE ${SICONOS_NUMERICS})
  endif()
endif()

# hashes of results, one `name hash` a line, the same from every compiler
file(GLOB sources CONFIGURE_DEPENDS test/golden/*.c)
if(sources)
  add_executable(golden ${sources} ${support})
  target_include_directories(golden PRIVATE test src)
  target_link_libraries(golden PRIVATE uptack_static)
  uptack_test(golden ${PROJECT_SOURCE_DIR}/tools/same-bits --check
    ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:golden>)
endif()

# every scene against what holds for all of them, briefly; tools/every-scene has the full figures
file(GLOB sources CONFIGURE_DEPENDS test/every_scene/*.c)
if(sources AND CMAKE_SYSTEM_NAME STREQUAL Linux)
  add_executable(every_scene ${sources})
  set_target_properties(every_scene PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  target_link_libraries(every_scene PRIVATE uptack_static)
  # calls of malloc are counted there
  target_link_options(every_scene PRIVATE
    -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=aligned_alloc)
  uptack_test(every_scene every_scene all --quick)
endif()

# readers under hostile input, some seconds each; CMAKE_C_COMPILER=clang and UPTACK_FUZZ for longer hunts
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  foreach(target snapshot mjcf expression coulomb)
    add_executable(fuzz_${target} test/fuzz/mutate.c test/fuzz/${target}.c)
    set_target_properties(fuzz_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
    target_link_libraries(fuzz_${target} PRIVATE uptack_static)
    uptack_test(fuzz_${target} fuzz_${target})
    if(UPTACK_FUZZ)
      add_executable(libfuzzer_${target} test/fuzz/${target}.c)
      set_target_properties(libfuzzer_${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
      target_link_libraries(libfuzzer_${target} PRIVATE uptack_static)
      target_link_options(libfuzzer_${target} PRIVATE -fsanitize=fuzzer)
    endif()
  endforeach()
endif()

uptack_test(layers ${PROJECT_SOURCE_DIR}/tools/layers)
uptack_test(layers_self_test ${PROJECT_SOURCE_DIR}/tools/layers --self-test)

# instrumented builds have globals of their own
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND NOT UPTACK_SANITIZE AND NOT UPTACK_FUZZ AND NOT UPTACK_COVERAGE AND NOT UPTACK_EXPAT_SOURCE)
  uptack_test(symbols ${PROJECT_SOURCE_DIR}/tools/symbols ${PROJECT_BINARY_DIR})
  uptack_test(symbols_self_test ${PROJECT_SOURCE_DIR}/tools/symbols --self-test)
  if(UPTACK_INSTALL)
    uptack_test(outside ${PROJECT_SOURCE_DIR}/tools/outside ${PROJECT_BINARY_DIR})
  endif()
endif()

# ---- examples: built as a user would, against the shared library, and run as tests --------------------

list(GET libraries -1 public_library)
file(GLOB sources CONFIGURE_DEPENDS examples/*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  target_link_libraries(example_${name} PRIVATE ${public_library})
  uptack_test(example_${name} example_${name})
endforeach()

# ---- the programs of README.md and the example of sim.h, as they are printed --------------------------

set(printed ${PROJECT_BINARY_DIR}/printed)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md include/uptack/sim.h)
file(MAKE_DIRECTORY ${printed})
execute_process(COMMAND sh ${PROJECT_SOURCE_DIR}/test/printed.sh ${PROJECT_SOURCE_DIR} ${printed}
  COMMAND_ERROR_IS_FATAL ANY)
foreach(name readme_1 readme_2 sim_h)
  add_executable(${name} ${printed}/${name}.c)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${printed})
  target_link_libraries(${name} PRIVATE ${public_library})
endforeach()
uptack_test(readme_lcp readme_1)
uptack_test(readme_model readme_2 scenes/quadruped.xml)
uptack_test(readme_no_model readme_2) # there is no robot.xml
set_tests_properties(readme_no_model PROPERTIES WILL_FAIL TRUE)
uptack_test(sim_h sim_h)

# ---- tools ------------------------------------------------------------------------------------------

uptack_test(tools sh test/tools.sh)
