# SPDX-License-Identifier: Apache-2.0
# Find HDF5, which reads FCLIB files; uptack builds without it too.
if(UPTACK_HDF5 AND NOT EMSCRIPTEN)
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND)
    # a shared library loads its own dependencies, so the others need not be linked
    set(hdf5_libraries ${HDF5_C_LIBRARIES})
    list(FILTER hdf5_libraries INCLUDE REGEX "hdf5[^/]*[.](so|dylib)")
    if(NOT hdf5_libraries)
      set(hdf5_libraries ${HDF5_C_LIBRARIES})
    endif()
  else() # HDF5_C_LIBRARIES may name a library that was not found
    message(NOTICE "built without HDF5 (libhdf5-dev not found): FCLIB files cannot be read")
  endif()
endif()

# uptack_use_hdf5(SOURCES...): compile these sources of the current folder with HDF5, if it was found. Other
# sources do not get its flags, so that installing HDF5 later does not recompile everything.
function(uptack_use_hdf5)
  if(HDF5_FOUND)
    foreach(source ${ARGN})
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS UPTACK_HAVE_HDF5)
      foreach(folder ${HDF5_C_INCLUDE_DIRS})
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -isystem ${folder})
      endforeach()
    endforeach()
  endif()
endfunction()
