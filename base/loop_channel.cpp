// SPDX-License-Identifier: Apache-2.0

#include "base/loop_channel.hpp"

#include <nghttp2/nghttp2.h>

#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/error.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "base/grpc_wire.hpp"
#include "base/notification.hpp"

namespace berth {
namespace {

namespace asio = boost::asio;
using Socket = asio::local::stream_protocol::socket;
using SocketError = boost::system::error_code;

// Bytes that may be under way to one reader that does not read, and to all of them together.
constexpr std::int32_t kWindowBytes = 1 << 20;
constexpr std::int32_t kConnectionWindowBytes = 16 << 20;
constexpr std::size_t kReadBytes = std::size_t{64} * 1024;

grpc::Status unavailable(const std::string& text) {
  return {grpc::StatusCode::UNAVAILABLE, text};
}

nghttp2_nv header(std::string_view name, std::string_view value) {
  // nghttp2 copies name and value and changes neither.
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string path_of(std::string_view endpoint) {
  for (const std::string_view scheme : {"unix://", "unix:"}) {
    if (endpoint.starts_with(scheme)) return std::string(endpoint.substr(scheme.size()));
  }
  return std::string(endpoint);
}

// 0 if unreadable.
int http_status(std::string_view text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ptr == text.data() + text.size() ? value : 0;
}

}  // namespace

class LoopChannel::Call final : public LoopCall {
 public:
  Call(asio::any_io_executor loop, const std::string& request, std::size_t receive_bytes_max)
      : unsent(framed(request)), answer(receive_bytes_max), arrived_(loop), limit_(loop) {}

  void expire_after(const std::shared_ptr<Call>& self, Nanoseconds limit) {
    limit_.expires_after(limit);
    limit_.async_wait([weak = std::weak_ptr(self)](SocketError failure) {
      const auto call = weak.lock();
      if (!failure && call)
        call->give_up({grpc::StatusCode::DEADLINE_EXCEEDED, "context deadline exceeded"});
    });
  }

  asio::awaitable<std::optional<std::string>> next() override;
  const grpc::Status& status() const override { return *ended_; }
  void cancel() override { give_up({grpc::StatusCode::CANCELLED, "context canceled"}); }

  void arrived(std::string_view bytes) {
    answer.take(bytes);
    arrived_.notify();
  }
  void end(grpc::Status status) {
    if (ended_) return;
    ended_ = std::move(status);
    session.reset();
    limit_.cancel();
    arrived_.notify();
  }
  [[nodiscard]] bool over() const { return ended_.has_value(); }

  std::string unsent;
  std::size_t sent = 0;  // bytes of `unsent`
  MessageReader answer;
  EndOfCall last_words;
  bool got_trailers = false;         // the server has sent its final headers
  std::shared_ptr<Session> session;  // reset when the call ends
  std::int32_t stream = 0;
  std::size_t unread = 0;  // bytes not yet returned to the server's window

 private:
  void give_up(grpc::Status status);

  Notification arrived_;
  asio::steady_timer limit_;
  std::optional<grpc::Status> ended_;
};

// One connection. Owned by the channel while it is the newest one, and by its calls.
class LoopChannel::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(asio::any_io_executor loop, Limits limits)
      : socket_(loop), handshake_(loop), silence_(loop), limits_(limits) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { nghttp2_session_del(http2_); }

  SocketError open(const std::string& path);
  // Whether new calls may start on it.
  [[nodiscard]] bool usable() const { return socket_.is_open() && !going_away_; }
  void begin(const std::shared_ptr<Call>& call, const std::string& method,
             std::optional<Nanoseconds> limit);
  // Resets a call that nobody waits for any more.
  void reset(std::int32_t stream);
  void consumed(Call& call);
  // Reads the bytes that arrived while no call was listening.
  void read();

 private:
  void greet();
  void await_greeting();
  void await_silence(Nanoseconds length);
  void await_bytes();
  void forget(std::int32_t stream);
  void flush();
  void write();
  void close();
  void lost(const std::string& why);
  [[nodiscard]] Call* call_of(std::int32_t stream) const {
    const auto found = calls_.find(stream);
    return found == calls_.end() ? nullptr : found->second.get();
  }

  static Session& self(void* user) { return *static_cast<Session*>(user); }
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* user);
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* data,
                     std::size_t size, void* user);
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_close(nghttp2_session*, std::int32_t stream, std::uint32_t error, void* user);
  static ssize_t on_send(nghttp2_session*, std::int32_t stream, std::uint8_t* buffer,
                         std::size_t size, std::uint32_t* flags, nghttp2_data_source*, void* user);

  Socket socket_;
  asio::steady_timer handshake_;
  asio::steady_timer silence_;  // runs while there are calls
  Limits limits_;
  nghttp2_session* http2_ = nullptr;
  std::map<std::int32_t, std::shared_ptr<Call>> calls_;
  std::string unsent_;
  std::size_t sent_ = 0;  // bytes of `unsent_`
  enum class Life { kHeard, kSilent, kAsked } life_ = Life::kSilent;
  bool reading_ = false;  // waiting for bytes
  bool writing_ = false;  // waiting until the socket takes bytes again
  bool greeted_ = false;
  bool going_away_ = false;
};

asio::awaitable<std::optional<std::string>> LoopChannel::Call::next() {
  const auto cancellation = co_await asio::this_coro::cancellation_state;
  if (cancellation.cancelled() != asio::cancellation_type::none) cancel();
  for (;;) {
    auto message = answer.next();
    // Counts an incomplete message as well: the rest of it must still be received.
    if (const auto alive = session) alive->consumed(*this);
    if (message) co_return message;
    if (answer.failure()) {
      give_up(*answer.failure());
      ended_ = answer.failure();  // even if the server had already ended it successfully
    }
    if (over() && status().ok() && answer.inside()) {
      ended_ = grpc::Status(grpc::StatusCode::INTERNAL, "the last message breaks off");
    }
    if (over()) co_return std::nullopt;
    try {
      co_await arrived_.wait();
    } catch (const boost::system::system_error& failure) {
      if (failure.code() != asio::error::operation_aborted) throw;
      cancel();
    }
  }
}

void LoopChannel::Call::give_up(grpc::Status status) {
  if (over()) return;
  const auto alive = session;
  end(std::move(status));
  if (alive) alive->reset(stream);
}

SocketError LoopChannel::Session::open(const std::string& path) {
  SocketError failure;
  socket_.open(asio::local::stream_protocol(), failure);
  if (!failure) socket_.non_blocking(true, failure);
  // Connecting to a unix socket does not wait: it succeeds or fails at once, e.g. if its queue is
  // full.
  if (!failure) socket_.connect(asio::local::stream_protocol::endpoint(path), failure);
  if (failure) {
    SocketError ignored;
    socket_.close(ignored);
    return failure;
  }
  greet();
  return {};
}

void LoopChannel::Session::greet() {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* options = nullptr;
  if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0) {
    throw std::bad_alloc();
  }
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  // A slow reader slows the server down.
  nghttp2_option_set_no_auto_window_update(options, 1);
  const int failure = nghttp2_session_client_new2(&http2_, callbacks, this, options);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_option_del(options);
  if (failure != 0) throw std::bad_alloc();
  const std::array<nghttp2_settings_entry, 2> settings = {
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindowBytes}}};
  nghttp2_submit_settings(http2_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(http2_, NGHTTP2_FLAG_NONE, 0, kConnectionWindowBytes);
}

void LoopChannel::Session::begin(const std::shared_ptr<Call>& call, const std::string& method,
                                 std::optional<Nanoseconds> limit) {
  const std::string timeout = limit ? timeout_text(*limit) : std::string();
  std::vector<nghttp2_nv> headers = {
      header(":method", "POST"),    header(":scheme", "http"),
      header(":path", method),      header(":authority", "localhost"),
      header("te", "trailers"),     header("content-type", "application/grpc"),
      header("user-agent", "berth")};
  if (limit) headers.push_back(header("grpc-timeout", timeout));
  nghttp2_data_provider body{};
  body.read_callback = on_send;
  const auto stream =
      nghttp2_submit_request(http2_, nullptr, headers.data(), headers.size(), &body, nullptr);
  if (stream < 0) return call->end(unavailable(nghttp2_strerror(stream)));
  call->stream = stream;
  call->session = shared_from_this();
  calls_.emplace(stream, call);
  await_greeting();
  if (calls_.size() == 1) await_silence(limits_.silence);
  flush();
  await_bytes();
}

void LoopChannel::Session::reset(std::int32_t stream) {
  if (!calls_.contains(stream)) return;
  nghttp2_submit_rst_stream(http2_, NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
  flush();
  forget(stream);
  // Nobody would read what the server is still writing for that call.
  if (calls_.empty()) close();
}

void LoopChannel::Session::consumed(Call& call) {
  const std::size_t bytes = std::exchange(call.unread, 0);
  if (bytes == 0 || !calls_.contains(call.stream)) return;
  nghttp2_session_consume_stream(http2_, call.stream, bytes);
  flush();
}

void LoopChannel::Session::await_greeting() {
  if (greeted_ || calls_.size() > 1) return;
  handshake_.expires_after(limits_.handshake);
  handshake_.async_wait([weak = weak_from_this()](SocketError aborted) {
    const auto session = weak.lock();
    if (!aborted && session) session->lost("the server accepts and does not answer");
  });
}

// Any received byte proves that the server is alive.
void LoopChannel::Session::await_silence(Nanoseconds length) {
  silence_.expires_after(length);
  silence_.async_wait([weak = weak_from_this()](SocketError aborted) {
    const auto session = weak.lock();
    if (aborted || !session || session->calls_.empty()) return;
    if (session->life_ == Life::kAsked) return session->lost("the server gives no sign of life");
    const bool ask = session->life_ == Life::kSilent;
    session->life_ = ask ? Life::kAsked : Life::kSilent;
    session->await_silence(ask ? session->limits_.sign_of_life : session->limits_.silence);
    if (!ask) return;
    nghttp2_submit_ping(session->http2_, NGHTTP2_FLAG_NONE, nullptr);
    session->flush();
  });
}

// Without calls nothing listens, so nothing keeps the loop from ending.
void LoopChannel::Session::await_bytes() {
  if (reading_ || calls_.empty() || !socket_.is_open()) return;
  reading_ = true;
  socket_.async_wait(Socket::wait_read, [weak = weak_from_this()](SocketError aborted) {
    const auto session = weak.lock();
    if (!session) return;
    session->reading_ = false;
    if (!aborted) session->read();
    session->await_bytes();
  });
}

void LoopChannel::Session::forget(std::int32_t stream) {
  if (calls_.erase(stream) == 0 || !calls_.empty()) return;
  SocketError ignored;
  socket_.cancel(ignored);
  handshake_.cancel();
  silence_.cancel();
  life_ = Life::kSilent;
}

void LoopChannel::Session::read() {
  std::array<std::uint8_t, kReadBytes> buffer;  // NOLINT(*-member-init): written before it is read
  while (socket_.is_open()) {
    SocketError failure;
    const std::size_t size = socket_.read_some(asio::buffer(buffer), failure);
    if (failure == asio::error::would_block) break;
    if (failure) {
      return lost(failure == asio::error::eof ? "the server closed the connection"
                                              : failure.message());
    }
    if (std::exchange(life_, Life::kHeard) == Life::kAsked) await_silence(limits_.silence);
    const auto taken = nghttp2_session_mem_recv(http2_, buffer.data(), size);
    if (taken < 0) return lost(nghttp2_strerror(static_cast<int>(taken)));
    if (size < buffer.size()) break;
  }
  flush();
  // nghttp2 reports a protocol error to the server and then wants neither to read nor to write.
  if (nghttp2_session_want_read(http2_) == 0 && nghttp2_session_want_write(http2_) == 0) {
    lost("the server violates HTTP/2, or is shutting down");
  }
}

void LoopChannel::Session::flush() {
  for (;;) {
    const std::uint8_t* bytes = nullptr;
    const auto size = nghttp2_session_mem_send(http2_, &bytes);
    if (size < 0) return lost(nghttp2_strerror(static_cast<int>(size)));
    if (size == 0) break;
    unsent_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  if (!writing_) write();
}

void LoopChannel::Session::write() {
  while (sent_ < unsent_.size() && socket_.is_open()) {
    SocketError failure;
    const auto rest = asio::buffer(unsent_) + sent_;
    const std::size_t size = socket_.write_some(rest, failure);
    if (failure == asio::error::would_block) {
      writing_ = true;
      socket_.async_wait(Socket::wait_write, [weak = weak_from_this()](SocketError /*aborted*/) {
        const auto session = weak.lock();
        if (!session) return;
        session->writing_ = false;
        session->write();
      });
      return;
    }
    if (failure) return lost(failure.message());
    sent_ += size;
  }
  unsent_.clear();
  sent_ = 0;
}

void LoopChannel::Session::close() {
  SocketError ignored;
  socket_.close(ignored);
  handshake_.cancel();
  silence_.cancel();
}

void LoopChannel::Session::lost(const std::string& why) {
  close();
  for (const auto& [stream, call] : std::exchange(calls_, {})) call->end(unavailable(why));
}

int LoopChannel::Session::on_header(nghttp2_session* /*http2*/, const nghttp2_frame* frame,
                                    const std::uint8_t* name, std::size_t name_size,
                                    const std::uint8_t* value, std::size_t value_size,
                                    std::uint8_t /*flags*/, void* user) {
  Call* call = self(user).call_of(frame->hd.stream_id);
  if (call == nullptr) return 0;
  const std::string_view key(reinterpret_cast<const char*>(name), name_size);
  const std::string_view text(reinterpret_cast<const char*>(value), value_size);
  if (key == ":status") call->last_words.http_status = http_status(text);
  if (key == "content-type") call->last_words.content_type = text;
  if (key == "grpc-status") {
    auto& status = call->last_words.grpc_status;
    status = status ? *status + "," + std::string(text) : std::string(text);
  }
  if (key == "grpc-message") call->last_words.grpc_message = text;
  return 0;
}

int LoopChannel::Session::on_data(nghttp2_session* http2, std::uint8_t /*flags*/,
                                  std::int32_t stream, const std::uint8_t* data, std::size_t size,
                                  void* user) {
  nghttp2_session_consume_connection(http2, size);
  if (Call* call = self(user).call_of(stream)) {
    call->unread += size;
    call->arrived({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}

int LoopChannel::Session::on_frame(nghttp2_session* /*http2*/, const nghttp2_frame* frame,
                                   void* user) {
  Session& session = self(user);
  if (frame->hd.type == NGHTTP2_SETTINGS && !std::exchange(session.greeted_, true)) {
    session.handshake_.cancel();
  }
  if (frame->hd.type == NGHTTP2_GOAWAY) session.going_away_ = true;
  const bool ends_stream = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  Call* call = session.call_of(frame->hd.stream_id);
  if (frame->hd.type == NGHTTP2_HEADERS && ends_stream && call != nullptr)
    call->got_trailers = true;
  return 0;
}

int LoopChannel::Session::on_close(nghttp2_session* /*http2*/, std::int32_t stream,
                                   std::uint32_t error, void* user) {
  const auto& calls = self(user).calls_;
  const auto found = calls.find(stream);
  if (found == calls.end()) return 0;
  const auto call = found->second;
  self(user).forget(stream);
  // A server may report its status and then reset what we had not sent yet. A status after an
  // HTTP/2 protocol error does not count.
  call->end(error == NGHTTP2_NO_ERROR || call->got_trailers ? status_of(call->last_words)
                                                            : status_of_reset(error));
  return 0;
}

ssize_t LoopChannel::Session::on_send(nghttp2_session* /*http2*/, std::int32_t stream,
                                      std::uint8_t* buffer, std::size_t size, std::uint32_t* flags,
                                      nghttp2_data_source* /*source*/, void* user) {
  Call* call = self(user).call_of(stream);
  if (call == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::size_t taken = call->unsent.copy(reinterpret_cast<char*>(buffer), size, call->sent);
  call->sent += taken;
  if (call->sent == call->unsent.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(taken);
}

LoopChannel::LoopChannel(asio::any_io_executor loop, const std::string& endpoint, Limits limits)
    : loop_(std::move(loop)), path_(path_of(endpoint)), limits_(limits) {}

LoopChannel::~LoopChannel() = default;

std::shared_ptr<LoopCall> LoopChannel::start(const std::string& method, const std::string& request,
                                             std::optional<Nanoseconds> limit) {
  auto call = std::make_shared<Call>(loop_, request, limits_.receive_bytes);
  if (session_ && session_->usable()) session_->read();
  if (!session_ || !session_->usable()) {
    session_ = std::make_shared<Session>(loop_, limits_);
    if (const auto failure = session_->open(path_)) {
      session_.reset();
      call->end(unavailable("connecting to " + path_ + ": " + failure.message()));
      return call;
    }
  }
  if (limit) call->expire_after(call, *limit);
  session_->begin(call, method, limit);
  return call;
}

}  // namespace berth
