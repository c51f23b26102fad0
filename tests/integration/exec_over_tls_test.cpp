// SPDX-License-Identifier: Apache-2.0

// Commands in containers, with a runtime that streams over TLS.
#include "tests/integration/changed_runtime.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class ExecOverTls : public NodeTest {};

TEST_F(ExecOverTls, passes_output_input_and_exit_code_on) {
  const ChangedRuntime over_tls("BERTH_TLS_STREAMING", "true");
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto failed = berthctl({"exec", "a", "--", "sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(failed.exit_code, 7) << failed.err;
  EXPECT_EQ(failed.out, "out\n");
  EXPECT_EQ(failed.err, "err\n");
  const std::string megabyte(1U << 20U, 'x');
  const auto counted = berthctl({"exec", "-i", "a", "--", "head", "-c", "1048576"}, megabyte);
  EXPECT_EQ(counted.exit_code, 0) << counted.err;
  EXPECT_EQ(counted.out.size(), megabyte.size());
  remove_manifest("a.yaml");
}

}  // namespace
}  // namespace berth::integration
