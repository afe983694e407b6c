# SPDX-License-Identifier: Apache-2.0
# Bullet and ODE beside us in bench_collision, where they are installed.

find_path(ODE_INCLUDE ode/ode.h)
find_library(ODE_LIBRARY ode)
if(ODE_INCLUDE AND ODE_LIBRARY)
  target_include_directories(bench_collision SYSTEM PRIVATE ${ODE_INCLUDE})
  target_link_libraries(bench_collision PRIVATE ${ODE_LIBRARY})
  target_compile_definitions(bench_collision PRIVATE UPTACK_HAVE_ODE)
else()
  message(NOTICE "bench_collision: built without ODE (libode-dev not found)")
endif()

# the only C++ here, and only where there is a compiler for it
find_path(BULLET_ROOT_INCLUDE bullet/btBulletCollisionCommon.h)
find_library(BULLET_COLLISION BulletCollision)
find_library(BULLET_MATH LinearMath)
include(CheckLanguage)
check_language(CXX)
if(BULLET_ROOT_INCLUDE AND BULLET_COLLISION AND BULLET_MATH AND CMAKE_CXX_COMPILER)
  enable_language(CXX)
  add_library(bench_bullet STATIC collision/bullet.cpp)
  # its flags, not those for C
  set_target_properties(bench_bullet PROPERTIES COMPILE_OPTIONS "-Wall;-Wextra;-Werror"
    CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON)
  target_include_directories(bench_bullet SYSTEM PRIVATE ${BULLET_ROOT_INCLUDE} ${BULLET_ROOT_INCLUDE}/bullet)
  target_link_libraries(bench_bullet PRIVATE ${BULLET_COLLISION} ${BULLET_MATH})
  target_link_libraries(bench_collision PRIVATE bench_bullet)
  target_compile_definitions(bench_collision PRIVATE UPTACK_HAVE_BULLET)
else()
  message(NOTICE "bench_collision: built without Bullet (libbullet-dev or a C++ compiler not found)")
endif()
