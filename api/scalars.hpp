// SPDX-License-Identifier: Apache-2.0

// Small scalar types of the Kubernetes API that have no plain C++ scalar.
//
// Plain values, no logic; the codec defines their form in JSON and YAML.
#pragma once

#include <string>

namespace berth::api {

// Arbitrary bytes (`[]byte` in the API); base64 on the wire, raw here.
struct Bytes {
  std::string data{};

  bool operator==(const Bytes&) const = default;
};

// JSON that is passed through without being parsed (e.g. managedFields); kept as compact text.
struct RawJson {
  std::string text{};

  bool operator==(const RawJson&) const = default;
};

}  // namespace berth::api
