// Text from outside, made fit to be stored, sent and looked at.
//
// What a container, the runtime, a file's name or a caller says is bytes. Text is made valid UTF-8
// once, where it enters (valid_text), because protobuf and JSON take nothing else; and what goes to
// a terminal or into a log line (one_line, terminal_text) moves no cursor and forges no line:
// control characters, C1 among them, line separators and marks of direction are shown as what they
// are. The forms are Go's and JSON's ("\x07" of a byte, "\u202e" of a longer character, so that a
// JSON document stays the same document), and kubectl's "^[" of an escape. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth {

// Each byte that belongs to no character becomes "\xff".
[[nodiscard]] std::string valid_text(std::string text);

// The first bytes of the text, `most` at most, and never half a character.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

// For a cell, a value or a log line: line feeds and tabs are shown, too ("\n").
[[nodiscard]] std::string one_line(std::string_view text);

// For several lines: line feeds and tabs stay.
[[nodiscard]] std::string terminal_text(std::string_view text);

}  // namespace berth
