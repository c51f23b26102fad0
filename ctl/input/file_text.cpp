// SPDX-License-Identifier: Apache-2.0

#include "ctl/input/file_text.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

namespace berth::ctl {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

}  // namespace

std::string shown_name(const std::string& file) {
  return file == "-" ? "stdin" : file;
}

Result<std::string> file_text(const std::string& file) {
  std::ifstream opened;
  if (file != "-") opened.open(file, std::ios::binary);
  if (file != "-" && !opened) {
    return fail(ErrorCode::kInvalid, fmt::format("{}: {}", file, std::strerror(errno)));
  }
  std::istream& stream = file == "-" ? std::cin : opened;
  std::string text;
  std::size_t got = 0;
  // Without iterators: they throw when reading a folder.
  while (stream) {
    text.resize(got + kReadAtOnce);
    stream.read(text.data() + got, kReadAtOnce);
    got += static_cast<std::size_t>(stream.gcount());
  }
  text.resize(got);
  if (stream.bad()) {
    return fail(ErrorCode::kInvalid, fmt::format("{}: cannot be read", shown_name(file)));
  }
  return text;
}

}  // namespace berth::ctl
