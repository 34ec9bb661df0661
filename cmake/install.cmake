# `cmake --install`: the program, its libraries and headers, what it reads (share/podsim, found from the program's place),
# and a CMake package. The build folder is such a package too, for firmware that is built against it.
include(CMakePackageConfigHelpers)

install(TARGETS podsim RUNTIME DESTINATION bin)
install(TARGETS podsim_platform podsim_firmware podsim_models podsim_options EXPORT podsimTargets ARCHIVE DESTINATION lib)
foreach(library platform firmware models options)
  set_target_properties(podsim_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
install(DIRECTORY models firmware platform DESTINATION include/podsim FILES_MATCHING PATTERN "*.h")
install(FILES ${stamp} DESTINATION include/podsim/firmware/library)
install(DIRECTORY configs examples DESTINATION share/podsim)
install(DIRECTORY firmware/labs DESTINATION share/podsim/firmware FILES_MATCHING PATTERN "*.cpp")
install(DIRECTORY tests/reference DESTINATION share/podsim/tests FILES_MATCHING PATTERN "*.csv")

set(package lib/cmake/podsim)
install(EXPORT podsimTargets NAMESPACE podsim:: DESTINATION ${package})
export(EXPORT podsimTargets NAMESPACE podsim:: FILE ${PROJECT_BINARY_DIR}/podsimTargets.cmake)

set(podsim_executable bin/podsim)
set(podsim_headers include/podsim)
set(podsim_generated_headers include/podsim)
set(values podsim_executable podsim_headers podsim_generated_headers)
configure_package_config_file(cmake/podsimConfig.cmake.in ${PROJECT_BINARY_DIR}/installed/podsimConfig.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS ${values})
set(podsim_executable ${PROJECT_BINARY_DIR}/podsim)
set(podsim_headers ${PROJECT_SOURCE_DIR})
set(podsim_generated_headers ${generated_headers})
configure_package_config_file(cmake/podsimConfig.cmake.in ${PROJECT_BINARY_DIR}/podsimConfig.cmake
                              INSTALL_DESTINATION ${PROJECT_BINARY_DIR} INSTALL_PREFIX ${PROJECT_BINARY_DIR}
                              PATH_VARS ${values})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/podsimConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/installed/podsimConfig.cmake ${PROJECT_BINARY_DIR}/podsimConfigVersion.cmake
        DESTINATION ${package})
