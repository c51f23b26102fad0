// SPDX-License-Identifier: Apache-2.0

#include "ctl/delete_request.hpp"

namespace berth::ctl {

Result<DeleteOptions> as_kubectl_asks(DeleteOptions asked) {
  if (asked.grace && *asked.grace < 0) asked.grace.reset();
  if (asked.now && asked.grace)
    return fail(ErrorCode::kInvalid, "--now and --grace-period cannot be specified together");
  if (asked.now) asked.grace = 1;
  if (asked.force && asked.grace.value_or(0) > 0)
    return fail(ErrorCode::kInvalid,
                "--force and --grace-period greater than 0 cannot be specified together");
  if (asked.force) asked.grace = 0;
  // Protects against losing data by accident.
  if (!asked.force && asked.grace == 0) asked.grace = 1;
  if (asked.timeout && asked.timeout->count() <= 0) asked.timeout.reset();
  return asked;
}

}  // namespace berth::ctl
