#include "agent/control_server.hpp"

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <grpc/support/time.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "agent/control_service.hpp"
#include "base/descriptor.hpp"

namespace berth::agent {
namespace {

constexpr const char* kDefaultGroup = "berth";
constexpr std::int64_t kShutdownWithinSeconds = 1;

// Whether somebody listens on the socket.
bool is_answered(const std::string& path) {
  const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!caller.is_open()) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const void* raw = &address;
  return ::connect(caller.get(), static_cast<const sockaddr*>(raw), sizeof address) == 0;
}

Result<bool> make_way(const std::string& path) {
  std::error_code bad;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), bad);
  if (bad) {
    return fail(ErrorCode::kPermission, "the control socket's folder " +
                                            std::filesystem::path(path).parent_path().string() +
                                            ": " + bad.message());
  }
  const auto status = std::filesystem::symlink_status(path, bad);
  if (status.type() == std::filesystem::file_type::not_found) return true;
  if (status.type() != std::filesystem::file_type::socket) {
    return fail(ErrorCode::kInvalid,
                path + " is in the way of the control socket; move it, or set controlSocket");
  }
  if (is_answered(path)) {
    return fail(ErrorCode::kAlreadyExists,
                "another berthd answers on " + path + "; stop it, or set controlSocket");
  }
  std::filesystem::remove(path, bad);
  return true;
}

// An unknown group that was asked for is a failure; the default one may be missing.
Result<bool> set_permissions(const std::string& path, const std::string& wanted_group) {
  const auto* group = getgrnam(wanted_group.empty() ? kDefaultGroup : wanted_group.c_str());
  if (group == nullptr && !wanted_group.empty()) {
    return fail(ErrorCode::kInvalid, "controlSocketGroup: there is no group \"" + wanted_group +
                                         "\"; create it, or leave the field out");
  }
  const bool failed =
      (group != nullptr && ::chown(path.c_str(), static_cast<uid_t>(-1), group->gr_gid) != 0) ||
      ::chmod(path.c_str(), 0660) != 0;
  if (failed) return fail(ErrorCode::kPermission, path + ": " + std::strerror(errno));
  return true;
}

}  // namespace

struct ControlServer::Impl {
  Impl(GrpcQueue& queue, ControlSources sources, TaskGroup::FailureHandler on_failure)
      : path(sources.settings.paths.control_socket),
        executor(sources.executor),
        clock(sources.clock),
        service(queue, std::move(sources), std::move(on_failure)) {}

  std::string path;
  boost::asio::any_io_executor executor;
  Clock& clock;
  ControlService service;
  std::unique_ptr<grpc::Server> server{};
};

ControlServer::ControlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ControlServer::~ControlServer() = default;

Result<std::unique_ptr<ControlServer>> ControlServer::listen(GrpcQueue& queue,
                                                             ControlSources sources,
                                                             TaskGroup::FailureHandler on_failure) {
  const auto path = sources.settings.paths.control_socket;
  const auto group = sources.settings.control_socket_group;
  const auto way = make_way(path);
  if (!way) return fail(way.error());
  auto impl = std::make_unique<Impl>(queue, std::move(sources), std::move(on_failure));
  auto& builder = queue.server_builder();
  builder.RegisterService(&impl->service.wire());
  builder.AddListeningPort("unix:" + path, grpc::InsecureServerCredentials());
  // Nobody but the group may connect, not even before the mode is set.
  const auto mask = ::umask(0117);
  impl->server = builder.BuildAndStart();
  ::umask(mask);
  if (!impl->server) {
    return fail(ErrorCode::kUnavailable,
                "the control socket " + path + " cannot be listened on; set controlSocket");
  }
  const auto permitted = set_permissions(path, group);
  if (!permitted) {
    impl->server->Shutdown();
    return fail(permitted.error());
  }
  impl->service.start();
  return std::unique_ptr<ControlServer>(new ControlServer(std::move(impl)));
}

boost::asio::awaitable<void> ControlServer::stop() {
  co_await impl_->service.stop();
  // Shutdown waits for calls to end, which they do on the loop: not there. Nor with the others'
  // file work, which may be stuck.
  BlockingPool own(impl_->executor, impl_->clock, {.threads = 1});
  std::function<bool()> work = [server = impl_->server.get()] {
    server->Shutdown(gpr_time_from_seconds(kShutdownWithinSeconds, GPR_TIMESPAN));
    return true;
  };
  co_await own.run("closing the control socket", std::move(work));
  co_await impl_->service.join();
  impl_->server.reset();
  static_cast<void>(::unlink(impl_->path.c_str()));
}

}  // namespace berth::agent
