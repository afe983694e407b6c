# SPDX-License-Identifier: Apache-2.0
# Packages for Debian: `make deb` configures the preset `debian` and runs CPack. tools/package-test installs
# the packages, tests them and removes them.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "uptack maintainers <maintainers@uptack.example>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(version ${PROJECT_VERSION})
set(so ${PROJECT_VERSION_MAJOR})

set(changelog_date "Thu, 01 Jan 2026 00:00:00 +0000")
configure_file(debian/changelog.in changelog @ONLY)
add_custom_command(OUTPUT changelog.gz DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog
  COMMAND gzip -9nc changelog > changelog.gz VERBATIM)
add_custom_target(uptack_changelog ALL DEPENDS changelog.gz)

# library_package(COMPONENT LIBRARY NAME): control files for package NAME of a shared library. The trigger makes
# the dynamic linker find the library; `shlibs` makes other packages depend on NAME.
function(library_package component library name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${component})
  file(WRITE ${folder}/triggers "activate-noawait ldconfig\n")
  file(WRITE ${folder}/shlibs "${library} ${so} ${name} (>= ${version})\n")
  file(CHMOD ${folder}/triggers ${folder}/shlibs PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  # The trigger replaces the scripts postinst and postrm. CPack writes both scripts unless they are listed here;
  # the two listed files do not exist, so CPack prints a remark and adds nothing.
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA
    "${folder}/triggers;${folder}/shlibs;${folder}/postinst;${folder}/postrm" PARENT_SCOPE)
endfunction()

# debian_package(COMPONENT NAME SECTION DEPENDS SUMMARY TEXT)
function(debian_package component name section depends summary text)
  install(FILES debian/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ${depends} PARENT_SCOPE)
  # one string: the first line is the summary
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(about "uptack simulates rigid and articulated bodies in hard contact with Coulomb\nfriction, and a separate checker certifies every step.")
debian_package(program uptack science ""
  "simulator of rigid bodies in hard contact"
  "${about}\n.\nThis package has the command line: it runs MJCF models and scenes, solves\ncomplementarity and friction problems, and draws recordings.")
debian_package(library libuptack${so} libs ""
  "simulator of rigid bodies in hard contact - library"
  "${about}\n.\nThis package has the shared library.")
debian_package(library-dev libuptack-dev libdevel "libuptack${so} (= ${version}), libexpat1-dev"
  "simulator of rigid bodies in hard contact - development files"
  "${about}\n.\nThis package has the headers, the static library and the files of CMake and\npkg-config.")
debian_package(problems libuptack-problems${so} libs "libuptack${so} (= ${version})"
  "readers and generators of contact problems - library"
  "${about}\n.\nThis package has the shared library that reads problem files (text, JSON,\nFCLIB) and generates problems for tests and benchmarks.")
debian_package(problems-dev libuptack-problems-dev libdevel
  "libuptack-problems${so} (= ${version}), libuptack-dev (= ${version})"
  "readers and generators of contact problems - development files"
  "${about}\n.\nThis package has the headers and the static library of the readers and\ngenerators of contact problems.")
if(TARGET uptack_python)
  debian_package(python python3-uptack python "python3 (>= 3.11), python3-numpy"
    "simulator of rigid bodies in hard contact - Python module"
    "${about}\n.\nThis package has the Python module: models, simulations, solvers and\nenvironments.")
  # compile the files of the module for the interpreters of the system, and remove what was compiled
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/python)
  file(WRITE ${folder}/postinst "#!/bin/sh\nset -e\nif [ \"$1\" = configure ] && command -v py3compile >/dev/null 2>&1; then\n    py3compile -p python3-uptack\nfi\n")
  file(WRITE ${folder}/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null 2>&1; then\n    py3clean -p python3-uptack\nfi\n")
  file(CHMOD ${folder}/postinst ${folder}/prerm
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${folder}/postinst;${folder}/prerm")
endif()
library_package(library libuptack libuptack${so})
library_package(problems libuptack_problems libuptack-problems${so})
include(CPack)
