// The text of a call that failed, and what of it is shown to whom.
//
//   StartContainer: rpc error: code = NotFound desc = no such container
//
// Whole it stands in logs and in the ledger. Go's programs, the kubelet among them, show it without
// the name of the call, and of some calls the description alone. A text of any other form (an error
// of our own) is its own description. Pure.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// "NotFound" of 5, as gRPC's status prints itself in Go.
[[nodiscard]] std::string rpc_code_name(int code);

[[nodiscard]] std::string rpc_error_text(std::string_view call, int code,
                                         std::string_view description);

// "rpc error: code = NotFound desc = no such container"
[[nodiscard]] std::string_view without_call(std::string_view text);

// "no such container"
[[nodiscard]] std::string_view rpc_description(std::string_view text);

// As without_call; the description alone where the code says nothing (Unknown).
[[nodiscard]] std::string_view without_unknown(std::string_view text);

}  // namespace berth
