# SPDX-License-Identifier: Apache-2.0
# find_package(uptack) gives uptack::uptack (shared) and uptack::uptack_static, and with the component
# `problems` uptack::problems and uptack::problems_static.
include(${CMAKE_CURRENT_LIST_DIR}/uptack-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/uptack-problems-targets.cmake OPTIONAL)
foreach(component ${uptack_FIND_COMPONENTS})
  if(TARGET uptack::${component})
    set(uptack_${component}_FOUND TRUE)
  elseif(uptack_FIND_REQUIRED_${component})
    set(uptack_FOUND FALSE)
    set(uptack_NOT_FOUND_MESSAGE "uptack is installed without the component ${component}")
  endif()
endforeach()
