// SPDX-License-Identifier: Apache-2.0

// The text of a failed call, and the parts of it that different readers are shown.
//
//   StartContainer: rpc error: code = NotFound desc = no such container
//
// Logs and the ledger hold the whole text. Go programs, including the kubelet, show it without the
// name of the call, and for some calls only the description. A text in any other form (an error of
// our own) is its own description. Pure.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// "NotFound" for 5, as Go's gRPC status prints it.
[[nodiscard]] std::string rpc_code_name(int code);

[[nodiscard]] std::string rpc_error_text(std::string_view call, int code,
                                         std::string_view description);

// "rpc error: code = NotFound desc = no such container"
[[nodiscard]] std::string_view without_call(std::string_view text);

// "no such container"
[[nodiscard]] std::string_view rpc_description(std::string_view text);

// Like without_call, but returns only the description if the code is Unknown.
[[nodiscard]] std::string_view without_unknown(std::string_view text);

}  // namespace berth
