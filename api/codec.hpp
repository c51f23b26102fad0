// SPDX-License-Identifier: Apache-2.0

// Converts Kubernetes objects from and to JSON and YAML.
//
//   text --parse_documents--> Tree --decode<Pod>--> Pod --to_json_text / to_yaml--> text
//
// Pure; any thread. Decoding reports all problems at once, each with its path, line and column. A
// wrong type is always an error; FieldValidation governs the rest. `null` means absent everywhere.
// Encoding writes fields in the API's order and omits what Kubernetes omits (YAML: keys sorted, as
// kubectl prints).
//
// The templates are defined only for the types that codec_*.cpp name with BERTH_CODEC, so that a
// type's description is compiled in one place, once. Another folder gets the same for its own types
// (configuration) by including api/codec/codec_generic.hpp in one source file.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "api/codec/tree.hpp"
#include "base/result.hpp"

namespace berth::api {

enum class FieldValidation : std::uint8_t {
  kStrict,  // unknown and repeated fields are errors
  kWarn,    // reported, but ignored (of repeated fields the last one counts)
  kIgnore,  // ignored silently; for objects sent by an API server
};

template <class T>
struct Decoded {
  T object{};
  std::vector<Problem> warnings{};
};

template <class T>
using DecodeResult = std::expected<Decoded<T>, std::vector<Problem>>;

// Parses all non-empty documents of a text. Text whose first visible character is `{` is one JSON
// value and nothing else; any other text is YAML.
[[nodiscard]] std::expected<std::vector<Tree>, std::vector<Problem>> parse_documents(
    std::string_view text, const TreeLimits& limits = {});

// Parses only the first document, as the kubelet reads manifests; empty text gives a null node.
[[nodiscard]] std::expected<Tree, std::vector<Problem>> parse_first_document(std::string_view text);

// Converts a Boost.JSON value to a tree without positions.
[[nodiscard]] Tree tree_of(const boost::json::value& value);

// `path` is the prefix of the problems' paths.
template <class T>
[[nodiscard]] DecodeResult<T> decode(const TreeNode& node, FieldValidation validation,
                                     std::string path = {});
template <class T>
[[nodiscard]] DecodeResult<T> decode(const Tree& tree, FieldValidation validation) {
  return decode<T>(tree.root, validation);
}

// Lenient, for text written by programs; the error reports the first problem.
template <class T>
[[nodiscard]] Result<T> from_json(const boost::json::value& value);
template <class T>
[[nodiscard]] Result<T> from_json_text(std::string_view text);

template <class T>
[[nodiscard]] boost::json::value to_json(const T& object);
template <class T>
[[nodiscard]] std::string to_json_text(const T& object);
template <class T>
[[nodiscard]] std::string to_json_pretty(const T& object);
template <class T>
[[nodiscard]] std::string to_yaml(const T& object);

}  // namespace berth::api
