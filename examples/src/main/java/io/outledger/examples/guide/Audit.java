// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What happened, in a table of the application. */
final class Audit {

  void write(Connection connection, Message message) throws SQLException {
    // No index is read.
    String sql = "INSERT INTO audit (message, type) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, message.id());
      statement.setString(2, message.type());
      statement.executeUpdate();
    }
  }
}
