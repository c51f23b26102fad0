// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/text_pieces.hpp"

#include <algorithm>

#include "api/codec.hpp"

namespace berth::scheduling {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

struct Line {
  std::size_t begin = 0;
  std::string_view text{};  // without its line end
};

// The line that starts at `begin`; sets `next` to the start of the following one.
Line line_at(std::string_view text, std::size_t begin, std::size_t& next) {
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  next = std::min(end + 1, text.size());
  std::string_view line = text.substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {.begin = begin, .text = line};
}

int count_lines(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) &&
         (line.size() == marker.size() || kBlank.find(line[marker.size()]) != kBlank.npos);
}

std::string_view trimmed_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

// A text without its items, and the items' positions.
struct Items {
  std::string envelope{};
  std::vector<std::string_view> items{};
};

// Items as kubectl writes them: below a line "items:", each starting with "- " in the first column.
std::optional<Items> yaml_items(std::string_view document) {
  enum class Part { kBefore, kItems, kAfter };
  Items found;
  Part part = Part::kBefore;
  std::size_t begin = 0;  // of the current item
  bool any = false;
  const auto close = [&](std::size_t end) {
    if (any) found.items.push_back(document.substr(begin, end - begin));
    any = false;
  };
  for (std::size_t at = 0; at < document.size();) {
    std::size_t next = 0;
    const std::string_view line = line_at(document, at, next).text;
    const bool item = is_marker(line, "-") && !is_marker(line, "---");
    const bool inside = line.empty() || line.front() == ' ' || line.front() == '#';
    if (part == Part::kItems && !item && !inside) {
      close(at);
      part = Part::kAfter;
    }
    if (part != Part::kItems) {
      found.envelope += std::string(line) + "\n";
      if (trimmed_end(line) == "items:") {
        if (part == Part::kAfter) return std::nullopt;
        part = Part::kItems;
      }
    } else if (item) {
      close(at);
      begin = at;
      any = true;
    } else if (!any && line.find_first_not_of(' ') != line.npos && line.front() != '#') {
      return std::nullopt;  // indented, or not a list
    }
    at = next;
  }
  close(document.size());
  if (part == Part::kBefore) return std::nullopt;
  return found;
}

// Walks over JSON, examining only its brackets and strings.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) {}

  std::optional<Items> items() {
    skip_blank();
    if (!take('{')) return std::nullopt;
    while (true) {
      skip_blank();
      const auto key = string();
      skip_blank();
      if (!key || !take(':')) return std::nullopt;
      skip_blank();
      if (*key == "items" && peek() == '[') return read_items();
      if (!value()) return std::nullopt;
      skip_blank();
      if (!take(',')) return std::nullopt;
    }
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_blank() { at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size()); }

  std::optional<std::string_view> string() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      at_ = std::min(text_.find_first_of("\"\\", at_), text_.size());
      if (take('"')) return text_.substr(begin, at_ - 1 - begin);
      at_ += 2;
    }
    return std::nullopt;
  }

  // Skips a value; its parser decides whether it is valid.
  bool value() {
    std::size_t depth = 0;
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!string()) return false;
        if (depth == 0) return true;
        continue;
      }
      const bool closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',')) return at_ > begin;
      if (c == '{' || c == '[') ++depth;
      ++at_;
      if (closes && --depth == 0) return true;
    }
    return false;
  }

  std::optional<Items> read_items() {
    Items found;
    ++at_;
    found.envelope = text_.substr(0, at_);
    skip_blank();
    while (peek() != ']') {
      const std::size_t begin = at_;
      if (peek() != '{' || !value()) return std::nullopt;
      found.items.push_back(text_.substr(begin, at_ - begin));
      skip_blank();
      if (peek() == ']') break;
      if (!take(',')) return std::nullopt;
      skip_blank();
      if (peek() == ']') return std::nullopt;
    }
    found.envelope += text_.substr(at_);
    return found;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_json(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\n\v\f\r");
  return start != text.npos && text[start] == '{';
}

// The List without its items; `std::nullopt` if the text is not a List.
std::optional<TextPiece> list_of(const Items& items) {
  const auto trees = api::parse_documents(items.envelope);
  if (!trees || trees->size() != 1) return std::nullopt;
  const api::TreeNode& root = trees->front().root;
  const std::string_view kind = root.string_at("kind");
  const api::TreeNode* list = root.find("items");
  if (!kind.ends_with("List") || list == nullptr || !list->items.empty()) return std::nullopt;
  TextPiece piece;
  piece.list_kind = kind;
  piece.list_version = root.string_at("apiVersion");
  return piece;
}

void add_document(std::string_view document, ObjectPlace place, std::vector<TextPiece>& pieces) {
  const auto items = is_json(document) ? JsonWalk(document).items() : yaml_items(document);
  const auto list = items ? list_of(*items) : std::nullopt;
  if (!list) {
    pieces.push_back({.text = document, .place = place});
    return;
  }
  std::size_t at = 0;
  std::size_t line = 0;  // start of the current line
  for (std::size_t i = 0; i < items->items.size(); ++i) {
    TextPiece piece = *list;
    piece.text = items->items[i];
    const auto begin = static_cast<std::size_t>(piece.text.data() - document.data());
    const std::string_view between = document.substr(at, begin - at);
    place.lines_before += count_lines(between);
    if (const auto end = between.rfind('\n'); end != between.npos) line = at + end + 1;
    at = begin;
    piece.place = place;
    piece.place.item = i;
    piece.place.columns_before = static_cast<int>(begin - line);
    pieces.push_back(std::move(piece));
  }
}

}  // namespace

void ObjectPlace::to_file(api::Problem& problem) const {
  if (problem.line == 0) return;
  if (problem.line == 1 && problem.column > 0) problem.column += columns_before;
  problem.line += lines_before;
}

std::vector<TextPiece> cut(std::string_view text) {
  std::vector<TextPiece> pieces;
  ObjectPlace place{.document = 1};
  if (is_json(text)) {
    add_document(text, place, pieces);
    return pieces;
  }
  std::size_t begin = 0;
  int lines = 0;
  for (std::size_t at = 0; at < text.size(); ++lines) {
    std::size_t next = 0;
    const std::string_view line = line_at(text, at, next).text;
    // A directive applies to the text after it.
    if (line.starts_with('%')) return {{.text = text, .place = {.document = 1}}};
    if (is_marker(line, "---")) {
      const std::string_view before = text.substr(begin, at - begin);
      if (before.find_first_not_of(kBlank) != before.npos) {
        add_document(before, place, pieces);
        ++place.document;
      }
      begin = at;
      place.lines_before = lines;
    }
    at = next;
  }
  add_document(text.substr(begin), place, pieces);
  return pieces;
}

std::expected<api::TreeNode, api::Problem> parse(const TextPiece& piece) {
  auto trees = api::parse_documents(piece.text);
  if (!trees) {
    api::Problem problem = std::move(trees.error().front());
    piece.place.to_file(problem);
    return std::unexpected(std::move(problem));
  }
  if (trees->size() > 1) {
    return std::unexpected(api::Problem{
        .line = piece.place.lines_before + 1,
        .message = "several documents below a %-directive; give each a file of its own"});
  }
  if (trees->empty()) return api::TreeNode{};
  api::TreeNode root = std::move(trees->front().root);
  const bool in_yaml_list = piece.place.item && root.kind == api::NodeKind::kSequence;
  if (!in_yaml_list) return root;
  if (root.items.empty()) return api::TreeNode{};
  api::TreeNode item = std::move(root.items.front());
  return item;
}

}  // namespace berth::scheduling
