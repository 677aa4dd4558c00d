// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.List;

/**
 * Reads the views in which H2 lists sessions and their locks. H2 collects the sessions first and
 * then asks each. Where one closes in between, the whole query fails, usually with the error that
 * the database has been closed. Only the query is repeated: to give up the relay's connection would
 * give up its lease, and publish messages twice.
 */
final class SessionViews {

  /** More sessions than that do not close within one query each time. */
  private static final int ATTEMPTS_MAX = 100;

  private static final int DATABASE_IS_CLOSED = 90098;
  private static final int GENERAL_ERROR = 50000;

  private SessionViews() {}

  static <T> List<T> rows(Sql query, Sql.Row<T> reader) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return query.rows(reader);
      } catch (SQLException e) {
        if (!isOfAnotherSession(e) || attempt == ATTEMPTS_MAX || query.isClosed()) {
          throw e;
        }
      }
    }
  }

  private static boolean isOfAnotherSession(SQLException failure) {
    int code = failure.getErrorCode();
    return code == DATABASE_IS_CLOSED || code == GENERAL_ERROR;
  }
}
