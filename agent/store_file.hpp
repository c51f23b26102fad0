// One connection to one SQLite file, with its statements: the state file as C++ sees it.
//
// The file is in WAL mode. What decides behaviour is written with synchronous=FULL (a commit is on
// the disk when it returns), history with NORMAL (it survives a crash of berthd, and the machine's
// but for the last moments). Failures are values: kUnavailable for what may pass (full, I/O error,
// locked), kInvalid for a file that is damaged or no database, kPermission for what is not ours to
// open. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace berth::agent {

// A prepared statement, bound and stepped; made by StoreFile::prepared and reset by it.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Places count from 1. Text must live until the statement is reset.
  Statement& bind(int place, std::int64_t number);
  Statement& bind(int place, std::string_view text);
  Statement& bind_null(int place);

  // Columns count from 0.
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  friend class StoreFile;
  sqlite3_stmt* statement_;
};

enum class Durability : std::uint8_t { kFull, kNormal };

class StoreFile {
 public:
  // Opens what is there, or makes an empty file (mode 0600); changes nothing in it.
  static Result<StoreFile> open(const std::string& path);
  // Only to look; leaves every byte as it is.
  static Result<StoreFile> open_to_look(const std::string& path);

  [[nodiscard]] bool is_open() const { return connection_ != nullptr; }

  // Settings of the connection: nobody else may open the file until it is closed, WAL, a small
  // cache (512 KiB; berthd's whole memory is 25 MiB), no mapping.
  Result<bool> configure();

  Result<bool> execute(const char* sql);
  // The same statement each time for the same literal; it must be a constant.
  Result<Statement> prepared(const char* sql);
  // True: there is a row. After false or an error the statement may be used anew.
  Result<bool> step(Statement& statement);
  // To the end, for what gives no rows.
  Result<bool> run(Statement& statement);
  Result<std::int64_t> number(const char* sql);
  void reset(Statement& statement);

  Result<bool> begin(Durability durability);
  Result<bool> commit();
  void roll_back();

  // Rows that the last statement changed.
  [[nodiscard]] std::int64_t changes() const;
  // Bytes in use; pages that are free for new rows do not count.
  Result<std::int64_t> used_bytes();
  // Pages in the write-ahead log after the last commit.
  [[nodiscard]] int log_pages() const;
  // Moves the log into the file as far as nobody reads it.
  void checkpoint();

  // Whether somebody has deleted, moved or replaced the file since it was opened.
  [[nodiscard]] bool has_moved() const;
  // All that it holds, as another file, which must not be there yet.
  Result<bool> copy_to(const std::string& path);

  // Whether the last failure was for want of space, and whether it was damage.
  [[nodiscard]] bool out_of_space() const { return out_of_space_; }
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  struct CloseConnection {
    void operator()(sqlite3* connection) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  static Result<StoreFile> open_with(const std::string& path, int flags);
  std::unexpected<Error> failure(std::string_view doing);

  std::string path_{};
  std::unique_ptr<sqlite3, CloseConnection> connection_{};
  // After the connection, so that they end before it. By the literal's address.
  std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_{};
  std::unique_ptr<int> log_pages_{};  // the hook writes here, wherever the file moves
  Durability durability_ = Durability::kNormal;
  bool out_of_space_ = false;
  bool damaged_ = false;
};

}  // namespace berth::agent
