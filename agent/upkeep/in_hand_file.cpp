// SPDX-License-Identifier: Apache-2.0

#include "agent/upkeep/in_hand_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <system_error>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"

namespace berth::agent {
namespace {

constexpr std::string_view kMagic = "berth in hand 1";
constexpr int kDeadly = 2;
// A uid has at most 128 bytes, and so has what is recorded with it; a file name has 255.
using Key = std::array<char, 384>;

std::string_view fitting(std::string_view key) {
  return first_bytes(key, sizeof(Key) - 1);
}

std::string text_of(const Key& key) {
  return valid_text(std::string(key.data(), ::strnlen(key.data(), key.size())));
}

}  // namespace

// A file of zeros is an empty one.
struct InHandFile::Page {
  struct Death {
    Key key;
    int times;
  };
  struct Of {
    Key in_hand;
    std::array<Death, 8> deaths;
  };

  std::array<char, 16> magic;
  Of pods;
  Of manifests;
};

namespace {

// Adds what was in hand when the last berthd died to the deaths, rewrites the page, and returns the
// deaths that still count: a single one counts only if the next death is at the same key.
template <class Of>
std::map<std::string, int, std::less<>> record_last_death(Of& of) {
  std::map<std::string, int, std::less<>> deaths;
  const std::string last = text_of(of.in_hand);
  for (const auto& death : of.deaths) {
    const std::string key = text_of(death.key);
    const bool counts = death.times >= kDeadly || key == last;
    if (!key.empty() && death.times > 0 && counts) deaths[key] = std::min(death.times, kDeadly);
  }
  if (!last.empty()) ++deaths[last];
  of = {};
  std::size_t row = 0;
  // The last one is always recorded.
  const auto put = [&](const std::string& key) {
    if (row == of.deaths.size() || !deaths.contains(key)) return;
    auto& death = of.deaths[row++];
    std::ranges::copy(fitting(key), death.key.begin());
    death.times = deaths[key];
  };
  put(last);
  for (const auto& [key, times] : deaths)
    if (key != last) put(key);
  return deaths;
}

// Allocates its blocks, so that a full disk does not matter. Returns 0 or errno.
int give_room(const Descriptor& file, off_t size) {
  return ::ftruncate(file.get(), size) == 0 ? ::posix_fallocate(file.get(), 0, size) : errno;
}

Result<Descriptor> open_record(const std::string& path, std::size_t size) {
  static_cast<void>(Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)));
  auto file = open_regular_file(path, O_RDWR);
  if (!file) return file;
  const int failure = give_room(*file, static_cast<off_t>(size));
  if (failure == 0) return file;
  return fail(ErrorCode::kUnknown, std::generic_category().message(failure));
}

// Not mapped: truncating the file would kill berthd.
void write_at(const Descriptor& file, std::string_view bytes, std::size_t at) {
  if (file.is_open())
    static_cast<void>(::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at)));
}

template <class Value>
std::string_view bytes_of(const Value& value) {
  const void* raw = &value;
  return {static_cast<const char*>(raw), sizeof value};
}

}  // namespace

InHandFile::InHandFile(const std::string& path, Log& log) {
  auto page = std::make_unique<Page>();
  auto opened = open_record(path, sizeof(Page));
  if (!opened) {
    log.warn("InHand", path + ": " + opened.error().message +
                           "; berthd cannot detect a pod or manifest that crashes it");
    return;
  }
  file_ = std::move(*opened);
  void* raw = page.get();
  const auto size = ::pread(file_.get(), raw, sizeof(Page), 0);
  if (size != sizeof(Page) || std::string_view(page->magic.data(), kMagic.size()) != kMagic) {
    *page = {};
    std::ranges::copy(kMagic, page->magic.begin());
  }
  pods_.deaths = record_last_death(page->pods);
  manifests_.deaths = record_last_death(page->manifests);
  write_at(file_, bytes_of(*page), 0);
  pods_.at = offsetof(Page, pods);
  manifests_.at = offsetof(Page, manifests);
  pods_.file = manifests_.file = &file_;
}

void InHandFile::ended_well() {
  const Page::Of none{};
  for (const Slot* slot : {&pods_, &manifests_})
    if (slot->file != nullptr) write_at(file_, bytes_of(none), slot->at);
}

void InHandFile::Slot::take(std::string_view of) {
  if (file == nullptr) return;
  std::string recorded(fitting(of));
  recorded += '\0';
  write_at(*file, recorded, at);
}

void InHandFile::Slot::put_down() {
  if (file != nullptr) write_at(*file, std::string_view("", 1), at);
}

bool InHandFile::Slot::deadly(const std::string& of) const {
  const auto found = deaths.find(fitting(of));
  return found != deaths.end() && found->second >= kDeadly;
}

}  // namespace berth::agent
