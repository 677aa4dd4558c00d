// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.jdbc.admin.FailureGroup;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.store.ParkedState;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a parked message has to fit: conditions of a statement, and what no statement can tell.
 *
 * @param filter which messages
 */
record ParkedConditions(ParkedNotes.Filter filter) {

  /** Adds the conditions to a statement, and their values. */
  void addTo(StringBuilder where, List<@Nullable Object> values) {
    ParkedSelection selection = filter.selection();
    ParkedState state = selection.state();
    add(where, values, "p.state = ?", state == null ? null : state.name().toLowerCase(Locale.ROOT));
    add(where, values, "p.route = ?", selection.route());
    add(where, values, "p.type = ?", selection.type());
    add(where, values, "p.topic = ?", selection.topic());
    add(where, values, "p.message_key = ?", selection.key());
    add(where, values, "REPLACE(p.error, ?, '') <> p.error", selection.errorText());
    add(where, values, "p.parked_at <= ?", filter.parkedUntil());
  }

  private static void add(
      StringBuilder where, List<@Nullable Object> values, String sql, @Nullable Object value) {
    if (value != null) {
      where.append(" AND ").append(sql);
      values.add(value);
    }
  }

  /** Returns whether a statement tells all of it. */
  boolean isToldBySql() {
    return filter.selection().failure() == null;
  }

  /** Returns whether an error is of the group that is wanted. */
  boolean fits(@Nullable String error) {
    String failure = filter.selection().failure();
    return failure == null || FailureGroup.contains(failure, error);
  }
}
