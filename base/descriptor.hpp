// A file descriptor and the one who closes it: moved, never copied.
//
// Closing says nothing (who must know whether the last bytes arrived syncs before) and leaves errno
// as it was, so that a failure can be told after the descriptor has gone.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace berth {

class Descriptor {
 public:
  Descriptor() = default;
  // As open(2), socket(2) and their like return it; negative: there is none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Descriptor before(std::exchange(number_, other.release()));
    return *this;
  }
  ~Descriptor() {
    const int error = errno;
    if (number_ >= 0) static_cast<void>(::close(number_));
    errno = error;
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }
  // Whoever asked closes it from now on.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace berth
