// Carries a precompiled header; see targets.cmake.
