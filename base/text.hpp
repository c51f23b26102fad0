// SPDX-License-Identifier: Apache-2.0

// Makes text from outside safe to store, send and show.
//
// Output of containers and the runtime, file names and callers' input are bytes. valid_text makes
// them valid UTF-8 once, where they enter, because protobuf and JSON accept nothing else. Text for
// a terminal or a log line (one_line, terminal_text) cannot move the cursor or forge a line:
// control characters (C1 included), line separators and directional marks are escaped. The escapes
// are Go's and JSON's ("\x07" for a byte, "\u202e" for a longer character, so that a JSON document
// stays the same document), and kubectl's "^[" for an escape character. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth {

// Replaces each byte that belongs to no character with "\xff".
[[nodiscard]] std::string valid_text(std::string text);

// The first bytes of the text, at most `most`; never ends within a character.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

// For a cell, a value or a log line: escapes line feeds and tabs as well ("\n").
[[nodiscard]] std::string one_line(std::string_view text);

// For multi-line text: keeps line feeds and tabs.
[[nodiscard]] std::string terminal_text(std::string_view text);

// terminal_text of text that arrives in pieces, which may end within a character: its bytes are
// kept for the next piece. The results together are terminal_text of the pieces together.
class TerminalTextPieces {
 public:
  [[nodiscard]] std::string next(std::string_view piece);
  // After the last piece: the bytes that no piece has completed.
  [[nodiscard]] std::string rest();

 private:
  std::string kept_{};
};

}  // namespace berth
