// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request as whoever works on it reads it.
 *
 * @param status what everybody may see
 * @param place where the work stands, in the words of the verb; null before the first step
 * @param now the time by the database's clock
 * @param content what the verb says at length; null where it says nothing so, and of a request that
 *     is over
 */
public record RequestRow(
    RequestStatus status,
    @Nullable String place,
    Instant now,
    @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] content) {

  private static final String ALWAYS =
      """
      r.id, r.verb, r.reader_kind, r.reader, r.selection, r.asked_by, r.reason, r.asked_at, r.state,
      r.done_count, r.total_count, r.error_code, r.result_text, r.changed_at, r.work_place,
      {now}\
      """;

  /** What {@link #read} reads, of the table {@code r}, but for the content. */
  public static final String COLUMNS = ALWAYS + ", NULL";

  /** The same with the content. */
  public static final String WITH_CONTENT = ALWAYS + ", r.content";

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RequestRow {
    Require.nonNull("status", status);
    Require.nonNull("now", now);
  }

  /** Reads a row of {@link #COLUMNS} or of {@link #WITH_CONTENT}. */
  public static RequestRow read(SqlValues values, ResultSet row) throws SQLException {
    Require.nonNull("values", values);
    long total = Require.nonNull("row", row).getLong(11);
    boolean isCounted = !row.wasNull();
    RequestStatus status =
        new RequestStatus(
            values.uuid(row, 1),
            row.getString(2),
            Reader.asItStands(Reader.Kind.of(row.getString(3)), row.getString(4)),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            values.time(row, 8),
            RequestState.of(row.getString(9)),
            row.getLong(10),
            isCounted ? total : null,
            row.getString(12),
            row.getString(13),
            values.time(row, 14));
    return new RequestRow(status, row.getString(15), values.time(row, 16), row.getBytes(17));
  }
}
