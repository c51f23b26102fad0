// SPDX-License-Identifier: Apache-2.0

// Base64, and the suggestion for misspelt names.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string_view>

#include "api/codec/base64.hpp"
#include "api/nearest_name.hpp"

namespace berth::api {
namespace {

TEST(Base64, goes_both_ways) {
  struct Case {
    std::string_view data;
    std::string_view text;
  };
  const Case cases[] = {{"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
                        {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {"\xff\xfe", "//4="}};
  for (const Case& c : cases) {
    EXPECT_EQ(to_base64(c.data), c.text);
    EXPECT_EQ(from_base64(c.text).value(), c.data);
  }
  EXPECT_EQ(from_base64("Zm\n9v\r\n").value(), "foo");
}

TEST(Base64, refuses_what_it_cannot_read) {
  for (const std::string_view text :
       {"Z", "Zg", "Zg=", "Zg===", "=", "Zg==Zg==", "Z=g=", "Zm9v!", "Zm9-"}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
  EXPECT_EQ(from_base64("Zm9v!").error().message, "illegal base64 data at input byte 4");
}

TEST(NearestName, forgives_a_slip_but_not_another_word) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"image", "imagePullPolicy", "name", "ports"});
  EXPECT_EQ(nearest_name("imge", kNames), "image");
  EXPECT_EQ(nearest_name("iamge", kNames), "image");
  EXPECT_EQ(nearest_name("Image", kNames), "image");
  EXPECT_EQ(nearest_name("imagepullpolicy", kNames), "imagePullPolicy");
  EXPECT_EQ(nearest_name("port", kNames), "ports");
  EXPECT_EQ(nearest_name("volume", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("x", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("", std::to_array<std::string_view>({"a"})), std::nullopt);
}

}  // namespace
}  // namespace berth::api
