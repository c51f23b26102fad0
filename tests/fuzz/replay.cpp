// SPDX-License-Identifier: Apache-2.0

// Runs files through a fuzz target, without a fuzzer: the corpus as a test.
//
//   berth_fuzz_NAME_replay FILE-OR-FOLDER...
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"

namespace {

namespace fs = std::filesystem;

bool run(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    return false;
  }
  std::printf("%s\n", file.filename().c_str());
  const void* data = bytes.data();
  LLVMFuzzerTestOneInput(static_cast<const std::uint8_t*>(data), bytes.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
  }
  if (files.empty()) {
    std::fputs("nothing to replay\n", stderr);
    return 1;
  }
  for (const auto& file : files) {
    if (!run(file)) return 1;
  }
  return 0;
}
