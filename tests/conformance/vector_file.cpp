// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/vector_file.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <zlib.h>

namespace berth::conformance {
namespace {

constexpr std::string_view kSuffix = ".jsonl.gz";

std::string inflate_file(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in) throw std::runtime_error("cannot open " + file.string());
  std::string text;
  std::string buffer(1U << 20U, '\0');
  int read = 0;
  while ((read = gzread(in.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    text.append(buffer, 0, static_cast<std::size_t>(read));
  }
  if (read < 0) throw std::runtime_error("cannot read " + file.string() + ": broken gzip data");
  return text;
}

}  // namespace

std::vector<std::filesystem::path> find_vector_files(
    const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : folders) {
    if (std::filesystem::is_regular_file(folder)) {
      files.push_back(folder);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().filename().string().ends_with(kSuffix)) {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

void for_each_case(const std::filesystem::path& file,
                   const std::function<void(const boost::json::object&)>& each) {
  const std::string text = inflate_file(file);
  boost::json::parse_options options;
  options.max_depth = 512;
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(line, error, {}, options);
    if (error || !value.is_object()) {
      throw std::runtime_error(file.string() + ":" + std::to_string(line_number) +
                               ": expected a JSON object");
    }
    each(value.get_object());
  }
}

std::string stem_of(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  return name;
}

}  // namespace berth::conformance
