// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_file.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/regular_file.hpp"

namespace berth::agent {
namespace {

// Used before berthd holds the file: an outside reader (`sqlite3 state.db`) holds locks for
// moments.
constexpr int kPatienceMilliseconds = 2000;

ErrorCode code_of(int primary) {
  switch (primary) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kInvalid;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return ErrorCode::kPermission;
    default:
      return ErrorCode::kUnavailable;
  }
}

std::unexpected<Error> cannot_be_kept(const std::string& path, const std::string& why,
                                      std::string_view remedy) {
  return fail(ErrorCode::kPermission,
              fmt::format("{}: {}; berthd keeps its state there: {}, or choose another directory "
                          "with --root-dir",
                          path, why, remedy));
}

// A FIFO would block SQLite, which follows links as well.
Result<bool> check_regular(const std::string& path, int flags) {
  const auto file = open_regular_file(path, flags);
  if (file) return true;
  const bool other = file.error().code == ErrorCode::kInvalid;
  return cannot_be_kept(path, file.error().message, other ? "remove it" : "make the file writable");
}

int remember_log_pages(void* target, sqlite3* /*connection*/, const char* /*name*/, int pages) {
  *static_cast<int*>(target) = pages;
  return SQLITE_OK;
}

}  // namespace

// SQLite keeps no copy: the text must outlive the statement's run.
Statement& Statement::bind(int place, std::string_view text) {
  const char* start = text.empty() ? "" : text.data();  // a null pointer would mean NULL
  sqlite3_bind_text64(statement_, place, start, text.size(), nullptr, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int place, std::int64_t number) {
  sqlite3_bind_int64(statement_, place, number);
  return *this;
}

Statement& Statement::bind_null(int place) {
  sqlite3_bind_null(statement_, place);
  return *this;
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string Statement::text(int column) const {
  const void* start = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return start == nullptr ? std::string() : std::string(static_cast<const char*>(start), size);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void StoreFile::CloseConnection::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

void StoreFile::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Result<StoreFile> StoreFile::open(const std::string& path) {
  // Created here, because SQLite would make it readable for the group and everybody, and pods hold
  // Secrets; and closed before SQLite opens it, because closing any descriptor of a file releases
  // all its locks.
  {
    const Descriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!made.is_open() && errno != EEXIST)
      return cannot_be_kept(path, std::generic_category().message(errno),
                            "make the directory writable");
  }
  if (const auto regular = check_regular(path, O_RDWR); !regular) return fail(regular.error());
  return open_with(path, SQLITE_OPEN_READWRITE);
}

Result<StoreFile> StoreFile::open_to_look(const std::string& path) {
  if (const auto regular = check_regular(path, O_RDONLY); !regular) return fail(regular.error());
  auto file = open_with(path, SQLITE_OPEN_READONLY);
  if (!file) return file;
  sqlite3_db_config(file->connection_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return file;
}

// Without SQLite's own locking between threads: one thread uses a connection.
Result<StoreFile> StoreFile::open_with(const std::string& path, int flags) {
  StoreFile file;
  file.path_ = path;
  file.log_pages_ = std::make_unique<int>(0);
  sqlite3* connection = nullptr;
  const int outcome = sqlite3_open_v2(path.c_str(), &connection,
                                      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  file.connection_.reset(connection);
  if (outcome != SQLITE_OK) return file.failure("opening");
  sqlite3_busy_timeout(connection, kPatienceMilliseconds);
  sqlite3_wal_hook(connection, remember_log_pages, file.log_pages_.get());
  return file;
}

Result<bool> StoreFile::configure() {
  // The lock is exclusive before the log is first used, so that SQLite keeps the log's index in
  // memory. Otherwise it maps state.db-shm, and truncating that file kills berthd (SIGBUS). The
  // hook above replaces the automatic checkpoint, which would make one commit in a thousand wait
  // for it: the writer does it while no caller waits. 4 MiB: the log's size on disk.
  return execute(
      "PRAGMA locking_mode=EXCLUSIVE;"
      "PRAGMA cache_size=-512; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY;"
      "PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=4194304; PRAGMA synchronous=NORMAL;");
}

std::unexpected<Error> StoreFile::failure(std::string_view doing) {
  sqlite3* connection = connection_.get();
  const int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_errcode(connection);
  const int primary = code & 0xff;
  const int system = connection == nullptr ? 0 : sqlite3_system_errno(connection);
  // Only I/O errors have a system error of their own; otherwise SQLite leaves an old one behind.
  const bool from_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  out_of_space_ = primary == SQLITE_FULL || (from_system && (system == ENOSPC || system == EDQUOT));
  damaged_ = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
  std::string text = connection == nullptr ? "out of memory" : sqlite3_errmsg(connection);
  if (from_system && system != 0) text += fmt::format(" ({})", std::strerror(system));
  const auto kind = out_of_space_ ? ErrorCode::kUnavailable : code_of(primary);
  return fail(kind, fmt::format("{} {}: {}", doing, path_, text));
}

Result<bool> StoreFile::execute(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return failure("writing");
  }
  return true;
}

Result<Statement> StoreFile::prepared(const char* sql) {
  auto& known = statements_[sql];
  if (!known) {
    sqlite3_stmt* statement = nullptr;
    const int outcome = sqlite3_prepare_v3(connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT,
                                           &statement, nullptr);
    if (outcome != SQLITE_OK) return failure("preparing a statement of");
    known.reset(statement);
  }
  return Statement(known.get());
}

Result<bool> StoreFile::step(Statement& statement) {
  const int outcome = sqlite3_step(statement.statement_);
  if (outcome == SQLITE_ROW) return true;
  if (outcome == SQLITE_DONE) {
    reset(statement);
    return false;
  }
  auto why = failure("using");
  reset(statement);
  return why;
}

Result<bool> StoreFile::run(Statement& statement) {
  auto row = step(statement);
  while (row && *row) row = step(statement);
  return row;
}

Result<std::int64_t> StoreFile::number(const char* sql) {
  auto statement = prepared(sql);
  if (!statement) return fail(statement.error());
  const auto row = step(*statement);
  if (!row) return fail(row.error());
  const std::int64_t value = *row ? statement->number(0) : 0;
  reset(*statement);
  return value;
}

void StoreFile::reset(Statement& statement) {
  sqlite3_reset(statement.statement_);
  sqlite3_clear_bindings(statement.statement_);
}

Result<bool> StoreFile::begin(Durability durability) {
  if (durability != durability_) {
    const auto changed = execute(durability == Durability::kFull ? "PRAGMA synchronous=FULL"
                                                                 : "PRAGMA synchronous=NORMAL");
    if (!changed) return changed;
    durability_ = durability;
  }
  auto statement = prepared("BEGIN IMMEDIATE");
  if (!statement) return fail(statement.error());
  return run(*statement);
}

Result<bool> StoreFile::commit() {
  auto statement = prepared("COMMIT");
  if (!statement) return fail(statement.error());
  return run(*statement);
}

// After some failures SQLite has already rolled back.
void StoreFile::roll_back() {
  if (sqlite3_get_autocommit(connection_.get()) != 0) return;
  sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

std::int64_t StoreFile::changes() const {
  return sqlite3_changes64(connection_.get());
}

Result<std::int64_t> StoreFile::used_bytes() {
  const auto size = number("PRAGMA page_size");
  if (!size) return size;
  const auto pages = number("PRAGMA page_count");
  if (!pages) return pages;
  const auto free = number("PRAGMA freelist_count");
  if (!free) return free;
  return *size * (*pages - *free);
}

bool StoreFile::has_moved() const {
  int moved = 0;
  const int known = sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return known == SQLITE_OK && moved != 0;
}

// Created here, for its mode.
Result<bool> StoreFile::copy_to(const std::string& path) {
  {
    const Descriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!made.is_open())
      return fail(ErrorCode::kPermission, path + ": " + std::generic_category().message(errno));
  }
  auto statement = prepared("VACUUM INTO ?");
  if (!statement) return fail(statement.error());
  statement->bind(1, path);
  return run(*statement);
}

int StoreFile::log_pages() const {
  return *log_pages_;
}

void StoreFile::checkpoint() {
  sqlite3_wal_checkpoint_v2(connection_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
  *log_pages_ = 0;
  begin_log();
}

// The commit that begins the log waits for the disk, whatever its durability. This one changes
// nothing: it is made here so that no commit that a caller waits for has to wait for the disk.
void StoreFile::begin_log() {
  const auto version = number("PRAGMA user_version");
  if (!version) return;
  const std::string same = fmt::format("PRAGMA user_version={}", *version);
  static_cast<void>(execute(same.c_str()));
}

}  // namespace berth::agent
