// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_reader.hpp"

#include <yaml.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/codec/yaml_escapes.hpp"
#include "api/codec/yaml_scalar.hpp"

namespace berth::api {
namespace {

// Owns one libyaml event.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (filled_) yaml_event_delete(&event_);
  }

  bool read(yaml_parser_t& parser) {
    filled_ = yaml_parser_parse(&parser, &event_) != 0;
    return filled_;
  }
  [[nodiscard]] yaml_event_type_t type() const { return event_.type; }
  [[nodiscard]] const yaml_event_t& get() const { return event_; }
  [[nodiscard]] int line() const { return static_cast<int>(event_.start_mark.line) + 1; }
  [[nodiscard]] int column() const { return static_cast<int>(event_.start_mark.column) + 1; }

 private:
  yaml_event_t event_{};
  bool filled_ = false;
};

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{}
                         : std::string_view(reinterpret_cast<const char*>(text));
}

std::string_view value_of(const yaml_event_t& event) {
  return {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
}

bool is_merge_key(const yaml_event_t& event) {
  return event.type == YAML_SCALAR_EVENT && value_of(event) == "<<" &&
         (event.data.scalar.plain_implicit != 0 ||
          text_of(event.data.scalar.tag) == "tag:yaml.org,2002:merge");
}

std::size_t count_nodes(const TreeNode& node) {
  std::size_t count = 1;
  for (const TreeNode& item : node.items) count += count_nodes(item);
  for (const TreeEntry& entry : node.entries) count += count_nodes(entry.value);
  return count;
}

int depth_of(const TreeNode& node) {
  int depth = 0;
  for (const TreeNode& item : node.items) depth = std::max(depth, depth_of(item));
  for (const TreeEntry& entry : node.entries) depth = std::max(depth, depth_of(entry.value));
  return depth + 1;
}

class Reader {
 public:
  Reader(std::string_view written, const TreeLimits& limits) : escapes_(written), limits_(limits) {
    good_ = yaml_parser_initialize(&parser_) != 0;
    if (!good_) return;
    std::string_view text = escapes_.text();
    // An empty view may have a null pointer, on which libyaml aborts.
    if (text.data() == nullptr) text = "";
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (good_) yaml_parser_delete(&parser_);
  }

  std::expected<std::vector<Tree>, Problem> run(Documents documents) {
    std::vector<Tree> trees;
    while (!problem_) {
      Event event;
      if (!next(event) || event.type() == YAML_STREAM_END_EVENT) break;
      if (event.type() != YAML_DOCUMENT_START_EVENT) continue;
      Tree tree;
      if (trees.size() == limits_.documents) {
        give_up(event, fmt::format("more than {} documents", limits_.documents));
        break;
      }
      if (!document(tree)) break;
      // Nothing between two `---` is no document, but it counts as the first one.
      if (tree.root.kind != NodeKind::kNull || documents == Documents::kFirst) {
        trees.push_back(std::move(tree));
      }
      if (documents == Documents::kFirst) break;
    }
    if (problem_) return std::unexpected(*std::move(problem_));
    return trees;
  }

 private:
  struct Anchor {
    TreeNode node{};
    std::size_t nodes = 0;
    int depth = 0;
  };

  bool give_up(int line, int column, std::string message) {
    if (!problem_) problem_ = Problem{{}, line, column, std::move(message)};
    return false;
  }
  bool give_up(const Event& at, std::string message) {
    return give_up(at.line(), at.column(), std::move(message));
  }

  bool next(Event& event) {
    if (!good_) return give_up(0, 0, "no memory for the YAML parser");
    if (event.read(parser_)) return true;
    const std::string message = parser_.problem == nullptr ? "broken YAML" : parser_.problem;
    if (parser_.error == YAML_READER_ERROR) {
      const std::string_view before = escapes_.text().substr(0, parser_.problem_offset);
      const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
      const std::string_view on_line = before.substr(before.rfind('\n') + 1);
      const std::size_t column = escapes_.original_size(on_line) + 1;
      return give_up(line, static_cast<int>(column), message);
    }
    return give_up(static_cast<int>(parser_.problem_mark.line) + 1,
                   static_cast<int>(parser_.problem_mark.column) + 1, message);
  }

  bool document(Tree& tree) {
    anchors_.clear();
    Event event;
    return next(event) && value(event, tree.root, 0);
  }

  bool spend(const Event& at, std::size_t nodes) {
    used_ += nodes;
    if (used_ <= limits_.nodes) return true;
    return give_up(at, fmt::format("more than {} values (aliases counted as what they stand for)",
                                   limits_.nodes));
  }

  bool value(const Event& event, TreeNode& node, int depth) {
    if (depth > limits_.depth) {
      return give_up(event, fmt::format("nested deeper than {} levels", limits_.depth));
    }
    node.line = event.line();
    node.column = event.column();
    switch (event.type()) {
      case YAML_ALIAS_EVENT:
        return alias(event, node, depth);
      case YAML_SCALAR_EVENT:
        return spend(event, 1) && scalar(event, node) &&
               remember(event, event.get().data.scalar.anchor, node);
      case YAML_SEQUENCE_START_EVENT:
        return spend(event, 1) && sequence(node, depth) &&
               remember(event, event.get().data.sequence_start.anchor, node);
      case YAML_MAPPING_START_EVENT:
        return spend(event, 1) && mapping(node, depth) &&
               remember(event, event.get().data.mapping_start.anchor, node);
      default:
        return give_up(event, "a value was expected here");
    }
  }

  // Anchors become known only once their value is complete, so none can contain itself. The stored
  // value is a copy and counts towards the limit as such.
  bool remember(const Event& event, const yaml_char_t* anchor, const TreeNode& node) {
    if (anchor == nullptr) return true;
    const std::size_t nodes = count_nodes(node);
    if (!spend(event, nodes)) return false;
    anchors_[std::string(text_of(anchor))] = Anchor{node, nodes, depth_of(node)};
    return true;
  }

  bool alias(const Event& event, TreeNode& node, int depth) {
    const std::string name(text_of(event.get().data.alias.anchor));
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return give_up(event, fmt::format("the alias *{} has no anchor before it", name));
    }
    if (!spend(event, found->second.nodes)) return false;
    if (depth + found->second.depth - 1 > limits_.depth) {
      return give_up(event, fmt::format("nested deeper than {} levels", limits_.depth));
    }
    node = found->second.node;
    return true;
  }

  bool scalar(const Event& event, TreeNode& node) {
    const auto& data = event.get().data.scalar;
    const bool double_quoted = data.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    const std::string text = escapes_.scalar(value_of(event.get()), double_quoted);
    const std::string_view tag = text_of(data.tag);
    std::expected<Scalar, std::string> found = Scalar{NodeKind::kString, text};
    if (data.plain_implicit != 0) {
      found = resolve_plain(text);
    } else if (!tag.empty()) {
      found = resolve_tagged(tag, text);
    }
    if (!found) return give_up(event, found.error());
    node.kind = found->kind;
    node.text = std::move(found->text);
    if (node.kind != NodeKind::kString && node.text != text) node.written = text;
    return true;
  }

  bool sequence(TreeNode& node, int depth) {
    node.kind = NodeKind::kSequence;
    while (true) {
      Event event;
      if (!next(event)) return false;
      if (event.type() == YAML_SEQUENCE_END_EVENT) return true;
      if (!value(event, node.items.emplace_back(), depth + 1)) return false;
    }
  }

  bool mapping(TreeNode& node, int depth) {
    node.kind = NodeKind::kMapping;
    std::vector<TreeEntry> merged;
    while (true) {
      Event key;
      if (!next(key)) return false;
      if (key.type() == YAML_MAPPING_END_EVENT) break;
      TreeEntry entry{{}, key.line(), key.column(), {}};
      const bool merge = is_merge_key(key.get());
      if (!merge && !key_text(key, entry.key)) return false;
      Event event;
      if (!next(event) || !value(event, entry.value, depth + 1)) return false;
      if (!merge) {
        node.entries.push_back(std::move(entry));
      } else if (!collect(entry, merged)) {
        return false;
      }
    }
    add_missing(node, std::move(merged));
    return true;
  }

  // Keys become strings as in JSON: `1:` is "1", `yes:` is "true".
  bool key_text(const Event& event, std::string& out) {
    TreeNode key;
    if (event.type() == YAML_ALIAS_EVENT) {
      if (!alias(event, key, 0)) return false;
    } else if (event.type() != YAML_SCALAR_EVENT) {
      return give_up(event, "a list or mapping cannot be a key");
    } else if (!scalar(event, key) || !remember(event, event.get().data.scalar.anchor, key)) {
      return false;
    }
    if (key.kind == NodeKind::kNull) return give_up(event, "null cannot be a key");
    if (key.kind == NodeKind::kSequence || key.kind == NodeKind::kMapping) {
      return give_up(event, "a list or mapping cannot be a key");
    }
    out = key.text;
    return true;
  }

  bool collect(const TreeEntry& merge, std::vector<TreeEntry>& merged) {
    const auto take = [&merged](const TreeNode& from) {
      merged.insert(merged.end(), from.entries.begin(), from.entries.end());
      return from.kind == NodeKind::kMapping;
    };
    bool good = true;
    if (merge.value.kind == NodeKind::kSequence) {
      for (const TreeNode& item : merge.value.items) good = good && take(item);
    } else {
      good = take(merge.value);
    }
    if (good) return true;
    return give_up(merge.line, merge.column, "<< needs a mapping or a list of mappings");
  }

  // The mapping's own keys take precedence over merged ones, earlier merges over later ones.
  static void add_missing(TreeNode& node, std::vector<TreeEntry> merged) {
    if (merged.empty()) return;
    std::set<std::string> known;
    for (const TreeEntry& entry : node.entries) known.insert(entry.key);
    for (TreeEntry& entry : merged) {
      if (known.insert(entry.key).second) node.entries.push_back(std::move(entry));
    }
  }

  YamlEscapes escapes_;
  TreeLimits limits_;
  yaml_parser_t parser_{};
  bool good_ = false;
  std::size_t used_ = 0;
  std::map<std::string, Anchor> anchors_{};
  std::optional<Problem> problem_{};
};

}  // namespace

std::expected<std::vector<Tree>, Problem> read_yaml(std::string_view text, Documents documents,
                                                    const TreeLimits& limits) {
  return Reader(text, limits).run(documents);
}

}  // namespace berth::api
