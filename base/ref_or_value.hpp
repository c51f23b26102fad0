// SPDX-License-Identifier: Apache-2.0

// Part of a decision's input: refers to its owner's value while the decision is taken, or owns the
// value if the input was read back from a record.
//
// Made from an lvalue it is a reference, and the owner must outlive it; made from a temporary it
// owns the value. Copies of an owning one share the value, which is immutable. A plain value,
// usable on any thread.
#pragma once

#include <memory>
#include <utility>

namespace berth {

template <class T>
class RefOrValue {
 public:
  RefOrValue() : RefOrValue(T{}) {}
  // Implicit, so that inputs can be passed as they are.
  RefOrValue(const T& owned_elsewhere) : value_(&owned_elsewhere) {}
  RefOrValue(T&& value)
      : owned_(std::make_shared<const T>(std::move(value))), value_(owned_.get()) {}
  RefOrValue(const T&&) = delete;

  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] const T* operator->() const { return value_; }
  operator const T&() const { return *value_; }

 private:
  std::shared_ptr<const T> owned_{};
  const T* value_;
};

}  // namespace berth
