// SPDX-License-Identifier: Apache-2.0

// Missing images.
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

std::string pod_with_image(const std::string& image, const std::string& policy) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: image}\nspec:\n  containers:\n  - name: c\n"
         "    image: " +
         image + "\n    imagePullPolicy: " + policy + "\n";
}

class Image : public NodeTest {};

TEST_F(Image, that_may_not_be_pulled_is_waited_for) {
  start_berthd();
  write_manifest("image.yaml", pod_with_image("localhost/no-such-image:9", "Never"));
  const auto pod = wait_for("image", "waiting", [](const api::Pod& seen) {
    return waiting_reason(seen, "c") == "ErrImageNeverPull";
  });
  EXPECT_EQ(waiting_message(pod, "c"),
            "Container image \"localhost/no-such-image:9\" is not present with pull policy of "
            "Never");
  EXPECT_EQ(pod.status.phase, "Pending");
}

TEST_F(Image, that_cannot_be_pulled_backs_off) {
  start_berthd();
  write_manifest("image.yaml", pod_with_image("localhost/no-such-image:9", "IfNotPresent"));
  const auto pod = wait_for("image", "in pull backoff", [](const api::Pod& seen) {
    return waiting_reason(seen, "c") == "ImagePullBackOff";
  });
  EXPECT_TRUE(waiting_message(pod, "c").starts_with(
      "Back-off pulling image \"localhost/no-such-image:9\": ErrImagePull: "))
      << waiting_message(pod, "c");
  const auto events = berthctl({"events"});
  EXPECT_NE(events.out.find("Failed to pull image \"localhost/no-such-image:9\""),
            std::string::npos)
      << events.out;
}

TEST_F(Image, with_a_name_that_is_none_is_reported) {
  start_berthd();
  write_manifest("image.yaml", pod_with_image("\"localhost/UPPER:1\"", "IfNotPresent"));
  wait_for("image", "refused",
           [](const api::Pod& seen) { return waiting_reason(seen, "c") == "InvalidImageName"; });
}

}  // namespace
}  // namespace berth::integration
