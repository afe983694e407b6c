# SPDX-License-Identifier: Apache-2.0
find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
bench_peer(bench_load MuJoCo libmujoco-dev MUJOCO_INCLUDE MUJOCO_LIBRARY)
if(UPTACK_HAVE_MUJOCO)
  target_include_directories(bench_load SYSTEM PRIVATE ${MUJOCO_INCLUDE})
  target_link_libraries(bench_load PRIVATE ${MUJOCO_LIBRARY})
endif()
