// Kubernetes objects from and to JSON and YAML.
//
//   text --parse_documents--> Tree --decode<Pod>--> Pod --to_json_text / to_yaml--> text
//
// Pure; from any thread. Decoding finds all problems at once, each with its path, line and column.
// Of the wrong type is always an error; what else is one says FieldValidation. `null` is the same
// as absence everywhere. Encoding writes fields in the API's order and leaves out what Kubernetes
// leaves out (YAML: keys sorted, as kubectl prints).
//
// The templates are defined for the types that codec_*.cpp name with BERTH_CODEC, and for no
// other: one place compiles a type's description, once. Another folder's types (configuration) get
// the same by including api/codec_generic.hpp in one source file of theirs.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "api/tree.hpp"
#include "base/result.hpp"

namespace berth::api {

enum class FieldValidation : std::uint8_t {
  kStrict,  // unknown and repeated fields are errors
  kWarn,    // they are listed, and ignored (of repeated ones the last counts)
  kIgnore,  // they are ignored; for what an API server sends
};

template <class T>
struct Decoded {
  T object{};
  std::vector<Problem> warnings{};
};

template <class T>
using DecodeResult = std::expected<Decoded<T>, std::vector<Problem>>;

// All documents of a text that are not empty. Text whose first visible character is `{` is one
// JSON value and nothing else; all other text is YAML.
[[nodiscard]] std::expected<std::vector<Tree>, std::vector<Problem>> parse_documents(
    std::string_view text, const TreeLimits& limits = {});

// The first document alone, as the kubelet reads manifests; empty text gives a null node.
[[nodiscard]] std::expected<Tree, std::vector<Problem>> parse_first_document(std::string_view text);

// A tree of what Boost.JSON holds; without places.
[[nodiscard]] Tree tree_of(const boost::json::value& value);

// `path` is what the paths of problems begin with.
template <class T>
[[nodiscard]] DecodeResult<T> decode(const TreeNode& node, FieldValidation validation,
                                     std::string path = {});
template <class T>
[[nodiscard]] DecodeResult<T> decode(const Tree& tree, FieldValidation validation) {
  return decode<T>(tree.root, validation);
}

// Lenient; the error tells the first problem. For what programs wrote.
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
