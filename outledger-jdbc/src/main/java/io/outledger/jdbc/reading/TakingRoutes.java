// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.MessageInfo;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.store.Declaration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Which routes may take a message, by what instances have declared: what keeps one route back is no
 * reason for the message of another.
 *
 * @param declared what the routes of a subscription take
 */
record TakingRoutes(List<Declaration> declared) {

  static TakingRoutes of(AdminReads reads, Connection connection, String subscription)
      throws SQLException {
    DeclarationTable.Reader reader = DeclarationTable.Reader.subscription(subscription, "");
    return new TakingRoutes(
        new DeclarationTable(reader, reads)
            .current(connection).current().keySet().stream()
                .filter(each -> each.takes() != Declaration.Takes.FILTER)
                .toList());
  }

  /** Returns whether a route may take a message; any may where nothing is declared. */
  boolean mayTake(String route, MessageInfo message) {
    return declared.isEmpty()
        || declared.stream()
            .filter(each -> each.route().equals(route))
            .anyMatch(each -> each.mayTake(message.topic(), message.type(), message.version()));
  }
}
