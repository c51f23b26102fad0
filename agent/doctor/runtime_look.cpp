// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/runtime_look.hpp"

#include <utility>

namespace berth::agent {

boost::asio::awaitable<RuntimeLook> look_at_runtime(cri::Runtime& runtime, cri::Images& images,
                                                    Clock& clock, Nanoseconds limit) {
  const Context context{.deadline = clock.steady_now() + limit};
  RuntimeLook look;
  auto setup = co_await runtime.setup(context);
  if (!setup) {
    look.error = setup.error().message;
    co_return look;
  }
  look.setup = std::move(*setup);
  const auto store = co_await images.image_store(context);
  if (store) look.image_folder = store->mountpoint;
  if (look.setup.sandbox_image.empty()) co_return look;
  cri::ImageSpec sandbox{.image = look.setup.sandbox_image};
  const auto image = co_await images.image_status(context, std::move(sandbox));
  look.sandbox_image_missing = !image && image.error().code == ErrorCode::kNotFound;
  co_return look;
}

}  // namespace berth::agent
