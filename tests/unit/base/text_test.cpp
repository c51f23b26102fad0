// SPDX-License-Identifier: Apache-2.0

#include "base/text.hpp"

#include <tuple>

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ValidText, stays_as_it_is_if_it_is_valid) {
  for (const std::string text : {"", "plain", "line\nbreak\t\x1b[0m", "Käse 漢字 🚢"})
    EXPECT_EQ(valid_text(text), text);
}

TEST(FirstBytes, never_end_within_a_character) {
  const std::tuple<std::string, std::size_t, std::string> rows[] = {
      {"", 0, ""},       {"abc", 3, "abc"},
      {"abc", 2, "ab"},  {"aü", 2, "a"},
      {"aü", 3, "aü"},   {"üü", 3, "ü"},
      {"漢字", 5, "漢"}, {"a🚢b", 4, "a"},
      {"a🚢b", 5, "a🚢"},  {"🚢", 3, ""},
      {"ü", 0, ""},      {std::string(6, '\x80'), 5, std::string(5, '\x80')},  // no text at all
  };
  for (const auto& [text, most, first] : rows)
    EXPECT_EQ(first_bytes(text, most), first) << text << " " << most;
}

TEST(ValidText, shows_every_byte_that_belongs_to_no_character) {
  const std::pair<std::string, std::string> rows[] = {
      {"\xff", "\\xff"},
      {"a\xc3", "a\\xc3"},  // half a character
      {"\xe6\xbc"
       "z",
       "\\xe6\\xbcz"},                               // two thirds of one
      {"\xc0\xaf", "\\xc0\\xaf"},                    // a slash, overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // half of a surrogate pair
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond Unicode
      {"ü\xffü", "ü\\xffü"},
  };
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(valid_text(bytes), text);
    EXPECT_EQ(valid_text(text), text);
  }
}

TEST(OneLine, neither_moves_a_cursor_nor_begins_a_line) {
  EXPECT_EQ(one_line("ok\n2026-01-01 forged\r\x1b[2J\x07\x7f\t."),
            "ok\\n2026-01-01 forged\\r^[[2J\\x07\\u007f\\t.");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m"),
            "\\u009b31m")
      << "C1 is a control, too";
  EXPECT_EQ(one_line("\xe2\x80\xae"
                     "gpj.exe"),
            "\\u202egpj.exe");
  EXPECT_EQ(one_line("\xe2\x80\xa8"), "\\u2028");
  EXPECT_EQ(one_line(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(one_line("\xff"), "\\xff");
  EXPECT_EQ(one_line("Käse 漢字 🚢"), "Käse 漢字 🚢");
}

TEST(TerminalText, keeps_its_lines) {
  EXPECT_EQ(terminal_text("a\tb\nc\x1b]0;x\x07\n"), "a\tb\nc^[]0;x\\x07\n");
}

TEST(TerminalText, in_pieces_is_what_it_is_as_a_whole) {
  const std::string rows[] = {
      "",
      "plain\n",
      "Käse 漢字 🚢\n",
      "\x1b[2J\xc2\x9b\xe2\x80\xae",
      "\xff\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80",
      "\xe6\xbcz\xe6\xf0\x9f\x9a漢",
      std::string(6, '\x80'),
      "cut off \xe6\xbc",
  };
  for (const auto& text : rows) {
    for (std::size_t size = 1; size <= 5; ++size) {
      TerminalTextPieces pieces;
      std::string shown;
      for (std::size_t at = 0; at < text.size(); at += size)
        shown += pieces.next(std::string_view(text).substr(at, size));
      shown += pieces.rest();
      EXPECT_EQ(shown, terminal_text(text)) << "in pieces of " << size;
      EXPECT_EQ(pieces.rest(), "") << "only once";
    }
  }
}

TEST(TerminalText, in_pieces_keeps_no_more_than_a_character_that_may_yet_be_completed) {
  TerminalTextPieces pieces;
  EXPECT_EQ(pieces.next("a\xe6"), "a");
  EXPECT_EQ(pieces.next(""), "");
  EXPECT_EQ(pieces.next("\xbc\xa2 b"), "漢 b");
  EXPECT_EQ(pieces.next("c\xff"), "c\\xff") << "begins none";
  EXPECT_EQ(pieces.next("\xf0\x9f"), "");
  EXPECT_EQ(pieces.rest(), "\\xf0\\x9f");
}

}  // namespace
}  // namespace berth
