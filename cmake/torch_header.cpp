// Carries the precompiled header; see targets.cmake.
