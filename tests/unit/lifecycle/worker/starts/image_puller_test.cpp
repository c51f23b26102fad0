// SPDX-License-Identifier: Apache-2.0

// Which pull is next, and how many run at once.
#include "lifecycle/worker/starts/image_puller.hpp"

#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

// Each pull takes 10 s.
class SlowImages final : public cri::Images {
 public:
  explicit SlowImages(Clock& clock) : clock_(clock) {}
  cri::Call<cri::Image> image_status(Context, cri::ImageSpec) override {
    co_return fail(ErrorCode::kNotFound, "no");
  }
  cri::Call<std::string> pull_image(Context, cri::ImageSpec image,
                                    std::vector<cri::AuthConfig> auth,
                                    cri::PodSandboxConfig) override {
    for (const auto& one : auth) users.push_back(one.username);
    ++running;
    most = std::max(most, running);
    co_await clock_.sleep_until(clock_.steady_now() + std::chrono::seconds(10));
    --running;
    co_return names_the_image ? image.image : std::string();
  }
  cri::Call<std::vector<cri::Image>> list_images(Context) override {
    co_return std::vector<cri::Image>{};
  }
  cri::Call<cri::Done> remove_image(Context, cri::ImageSpec) override { co_return cri::Done{}; }
  cri::Call<cri::ImageStore> image_store(Context) override { co_return cri::ImageStore{}; }

  bool names_the_image = true;  // in its replies
  int running = 0;
  int most = 0;
  std::vector<std::string> users{};

 private:
  Clock& clock_;
};

class ImagePullerTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> pull(ImagePuller& puller, std::string name) {
    cri::ImageSpec image;
    image.image = name;
    cri::PodSandboxConfig sandbox;
    std::vector<cri::AuthConfig> credentials(1);
    credentials.front().username = "for " + name;
    auto pulled =
        co_await puller.pull(std::move(image), std::move(sandbox), std::move(credentials));
    log.push_back(pulled ? fmt::format("{} {}", name, pulled->including_waiting / 1s)
                         : name + " " + pulled.error().message);
  }
  void pull_all(ImagePuller& puller, int count) {
    for (int i = 0; i < count; ++i) spawn("pull", pull(puller, fmt::format("i{}", i)));
    drain();
    clock.advance(100s);
  }

  SlowImages images{clock};
};

TEST_F(ImagePullerTest, serial_pulls_come_one_after_another_in_the_order_of_asking) {
  ImagePuller puller(loop.get_executor(), clock, images, ImagePullOptions{});
  pull_all(puller, 3);
  EXPECT_EQ(images.most, 1);
  EXPECT_EQ(log, (std::vector<std::string>{"i0 10", "i1 20", "i2 30"}));
  EXPECT_EQ(images.users, (std::vector<std::string>{"for i0", "for i1", "for i2"}));
}

TEST_F(ImagePullerTest, parallel_pulls_are_bounded) {
  const ImagePullOptions options{.serialize = false, .max_parallel = 2};
  ImagePuller puller(loop.get_executor(), clock, images, options);
  pull_all(puller, 4);
  EXPECT_EQ(images.most, 2);
  EXPECT_EQ(log, (std::vector<std::string>{"i0 10", "i1 10", "i2 20", "i3 20"}));
}

TEST_F(ImagePullerTest, what_exceeds_the_rate_fails_at_once) {
  const ImagePullOptions options{.serialize = false, .qps = 1, .burst = 2};
  ImagePuller puller(loop.get_executor(), clock, images, options);
  pull_all(puller, 3);
  EXPECT_EQ(log.front(), "i2 pull QPS exceeded");
  EXPECT_EQ(images.most, 2);
}

TEST_F(ImagePullerTest, a_pull_whose_reply_names_no_image_fails_in_the_kubelets_words) {
  images.names_the_image = false;
  ImagePuller puller(loop.get_executor(), clock, images, ImagePullOptions{});
  pull_all(puller, 1);
  EXPECT_EQ(log, std::vector<std::string>{"i0 imageRef of image \"i0\" is not set"});
}

TEST_F(ImagePullerTest, a_cancelled_wait_leaves_the_queue_in_order) {
  ImagePuller puller(loop.get_executor(), clock, images, ImagePullOptions{});
  spawn("first", pull(puller, "first"));
  drain();
  {
    TaskGroup cancelled(loop.get_executor(), {});
    cancelled.spawn("second", pull(puller, "second"));
    drain();
    spawn("third", pull(puller, "third"));
    drain();
    EXPECT_EQ(puller.waiting(), 2U);
    cancelled.request_stop();
    drain();
    EXPECT_EQ(cancelled.size(), 0U);
  }
  EXPECT_EQ(puller.waiting(), 1U);
  clock.advance(30s);
  EXPECT_EQ(log, (std::vector<std::string>{"first 10", "third 20"}));
}

}  // namespace
}  // namespace berth::lifecycle
