// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.UnknownName;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.DeclarationTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who there is: a misspelt name must not look like one that has parked nothing. */
final class Owners {

  // One step along the index for each.
  private static final String SUBSCRIPTIONS =
      "SELECT DISTINCT s.subscription FROM {schema}.outledger_subscription s LIMIT ?";

  private static final String DECLARED =
      """
      SELECT DISTINCT d.reader FROM {schema}.outledger_declaration d
       WHERE d.reader_kind = 'consumer' LIMIT ?\
      """;

  private final AdminReads reads;

  Owners(AdminReads reads) {
    this.reads = reads;
  }

  /**
   * Fails where nobody has that name.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such subscription,
   *     or a consumer has neither processed, parked nor declared anything
   */
  void requireKnown(Connection connection, Reader owner) throws SQLException {
    Set<String> known = new HashSet<>(names(connection, owner.isConsumer()));
    if (owner.isConsumer() && !known.contains(owner.name())) {
      known.addAll(reads.consumers(connection));
    }
    if (!known.contains(owner.name())) {
      throw owner.isConsumer()
          ? UnknownName.consumer(owner.name(), known)
          : UnknownName.subscription(owner.name(), known);
    }
  }

  /**
   * Fails where nobody has that name, or has no such route.
   *
   * @param route null for any
   * @throws io.outledger.ConfigurationException {@code OUT-025} as above, or if nothing is parked
   *     in the subscription's route and no instance has declared it
   */
  void requireKnown(Connection connection, Reader owner, @Nullable String route)
      throws SQLException {
    requireKnown(connection, owner);
    if (route != null && !owner.isConsumer()) {
      new DeclarationTable(DeclarationTable.Reader.subscription(owner.name(), ""), reads)
          .requireRoute(connection, route);
    }
  }

  private Set<String> names(Connection connection, boolean ofConsumers) throws SQLException {
    String text = reads.in(ofConsumers ? DECLARED : SUBSCRIPTIONS);
    return Set.copyOf(
        Query.of(reads, text, Overview.ROWS_MAX).rows(connection, row -> row.getString(1)));
  }
}
