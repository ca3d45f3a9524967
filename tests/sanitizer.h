#pragma once

// Sanitizers reserve terabytes of address space, keep freed memory and contain parts of the standard library.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RFS_NEEDS_NO_SANITIZER() GTEST_SKIP() << "NOT TESTED: not possible under a sanitizer"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RFS_NEEDS_NO_SANITIZER() GTEST_SKIP() << "NOT TESTED: not possible under a sanitizer"
#endif
#endif
#ifndef RFS_NEEDS_NO_SANITIZER
#define RFS_NEEDS_NO_SANITIZER() static_cast<void>(0)
#endif
