#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/sanitizer.h"

// LibTorch exports functions of the libstdc++ that it was compiled with. The program must use those of the system.
TEST(Libraries, FilesAreThoseOfTheStandardLibrary) {
  RFS_NEEDS_NO_SANITIZER();
  for (const char* name : {"_ZNKSt10filesystem7__cxx114path11parent_pathEv",
                           "_ZNSt10filesystem10remove_allERKNS_7__cxx114pathERSt10error_code"}) {
    void* function = dlsym(RTLD_DEFAULT, name);
    Dl_info where{};
    ASSERT_NE(function, nullptr) << name;
    ASSERT_NE(dladdr(function, &where), 0) << name;
    EXPECT_NE(std::string(where.dli_fname).find("libstdc++"), std::string::npos) << name << " in " << where.dli_fname;
  }
}
