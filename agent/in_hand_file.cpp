#include "agent/in_hand_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"

namespace berth::agent {
namespace {

constexpr std::string_view kMagic = "berth in hand 1";
constexpr int kDeadly = 2;
// A uid has 128 bytes at most, and so has what is recorded with it; a file name has 255.
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

// The deaths that count now: a single one only as long as the next is at the same.
template <class Of>
std::map<std::string, int, std::less<>> take_deaths(Of& of) {
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
  // The last one is recorded in any case.
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

// A page that has no block yet would end berthd when the disk is full. 0, or the error's number.
int give_room(const Descriptor& file, off_t size) {
  return ::ftruncate(file.get(), size) == 0 ? ::posix_fallocate(file.get(), 0, size) : errno;
}

void* map_page(const std::string& path, std::size_t size, std::string& problem) {
  static_cast<void>(Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)));
  const auto file = open_regular_file(path, O_RDWR);
  void* mapped = MAP_FAILED;
  if (!file) {
    problem = file.error().message;
  } else if (const int failure = give_room(*file, static_cast<off_t>(size)); failure != 0) {
    problem = std::generic_category().message(failure);
  } else {
    mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file->get(), 0);
    if (mapped == MAP_FAILED) problem = std::generic_category().message(errno);
  }
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

InHandFile::InHandFile(const std::string& path, Log& log) {
  std::string problem;
  page_ = static_cast<Page*>(map_page(path, sizeof(Page), problem));
  if (page_ == nullptr) {
    log.warn("InHand",
             path + ": " + problem + "; a pod that ends berthd each time is not found out");
    return;
  }
  if (std::string_view(page_->magic.data(), kMagic.size()) != kMagic) {
    *page_ = {};
    std::ranges::copy(kMagic, page_->magic.begin());
  }
  pods_.deaths = take_deaths(page_->pods);
  manifests_.deaths = take_deaths(page_->manifests);
  pods_.key = page_->pods.in_hand.data();
  manifests_.key = page_->manifests.in_hand.data();
}

InHandFile::~InHandFile() {
  if (page_ != nullptr) ::munmap(page_, sizeof(Page));
}

void InHandFile::ended_well() {
  if (page_ == nullptr) return;
  page_->pods = {};
  page_->manifests = {};
}

void InHandFile::Slot::take(std::string_view of) {
  if (key == nullptr) return;
  const std::string_view recorded = fitting(of);
  std::ranges::copy(recorded, key);
  key[recorded.size()] = '\0';
  // What follows may end the process: the compiler moves nothing across.
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void InHandFile::Slot::put_down() {
  if (key == nullptr) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  *key = '\0';
}

bool InHandFile::Slot::deadly(const std::string& of) const {
  const auto found = deaths.find(fitting(of));
  return found != deaths.end() && found->second >= kDeadly;
}

}  // namespace berth::agent
