// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.Listing;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestPoint;
import io.outledger.jdbc.admin.RequestQuery;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.RequestRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pages of what operators have asked for. A call looks at {@value Count#MAX} rows at most. */
public final class RequestReads {

  // Both: outledger_request_asked, in its order.
  private static final String PLACES =
      "SELECT r.asked_at, r.id FROM {schema}.outledger_request r WHERE 1 = 1";
  private static final String ROWS =
      "SELECT " + RequestRow.COLUMNS + " FROM {schema}.outledger_request r WHERE 1 = 1";
  private static final String NEWEST_FIRST = " ORDER BY r.asked_at DESC, r.id DESC";

  private static final int CHAR_BYTES = 2;

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public RequestReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  /**
   * Returns the requests that fit, the newest first, and the place to go on.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Listing<RequestStatus, RequestPoint> list(RequestQuery query) {
    Require.nonNull("query", query);
    return reads.read("listing requests", connection -> list(connection, query));
  }

  private Listing<RequestStatus, RequestPoint> list(Connection connection, RequestQuery query)
      throws SQLException {
    Optional<RequestPoint> end =
        behind(Query.of(reads, reads.in(PLACES)), query.after())
            .and(NEWEST_FIRST + " LIMIT 1 OFFSET ?", Count.MAX - 1)
            .first(
                connection,
                row -> new RequestPoint(reads.values().time(row, 1), reads.values().uuid(row, 2)));
    Query text = behind(Query.of(reads, reads.in(ROWS)), query.after());
    if (end.isPresent()) {
      text = text.and(" AND (r.asked_at, r.id) >= (?, ?)", end.get().askedAt(), end.get().id());
    }
    PageBytes bytes = new PageBytes();
    List<RequestStatus> rows = new ArrayList<>();
    fitting(text, query)
        .and(NEWEST_FIRST + " LIMIT ?", query.limit())
        .read(
            connection,
            row -> {
              RequestStatus request = RequestRow.read(reads.values(), row).status();
              rows.add(request);
              bytes.add((long) CHAR_BYTES * chars(request));
              return !bytes.isFull();
            });
    boolean isFull = rows.size() == query.limit() || bytes.isFull();
    return new Listing<>(rows, isFull ? place(rows.get(rows.size() - 1)) : end.orElse(null));
  }

  private static int chars(RequestStatus request) {
    return request.selection().length()
        + request.reason().length()
        + request.askedBy().length()
        + request.result().length();
  }

  private static Query behind(Query query, @Nullable RequestPoint after) {
    return after == null
        ? query
        : query.and(" AND (r.asked_at, r.id) < (?, ?)", after.askedAt(), after.id());
  }

  private static Query fitting(Query query, RequestQuery wanted) {
    RequestState state = wanted.state();
    Reader reader = wanted.reader();
    return query
        .andIf(state == null ? null : state.stored(), " AND r.state = ?")
        .andIf(wanted.verb(), " AND r.verb = ?")
        .andIf(reader == null ? null : reader.kind().stored(), " AND r.reader_kind = ?")
        .andIf(reader == null ? null : reader.name(), " AND r.reader = ?");
  }

  private static RequestPoint place(RequestStatus request) {
    return new RequestPoint(request.askedAt(), request.id());
  }
}
