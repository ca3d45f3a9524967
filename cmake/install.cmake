# What `cmake --install` installs: libraries, headers, the program, the experiments, and a package for find_package(rfs).

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rfs)
set_target_properties(rfs_program PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${torch_folder}/lib")
set_target_properties(rfs rfs_base rfs_torch PROPERTIES INSTALL_RPATH "$ORIGIN;${torch_folder}/lib")

set_target_properties(rfs_program rfs rfs_base PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS rfs rfs_base EXPORT rfs LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rfs_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rfs_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "set(SOURCE ${PROJECT_SOURCE_DIR})\nset(INCLUDE_FOLDER ${CMAKE_INSTALL_INCLUDEDIR})")
install(SCRIPT cmake/install_headers.cmake)
install(DIRECTORY experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/rfs)
install(EXPORT rfs NAMESPACE rfs:: DESTINATION ${package_folder})
configure_package_config_file(cmake/rfs-config.cmake.in ${CMAKE_BINARY_DIR}/rfs-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rfs-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/rfs-config.cmake ${CMAKE_BINARY_DIR}/rfs-config-version.cmake cmake/libtorch.cmake DESTINATION ${package_folder})
