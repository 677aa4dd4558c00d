// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Mails to be sent, in a table of the application. */
final class Mails {

  void queue(Connection connection, Message message) throws SQLException {
    // The primary key.
    String sql = "INSERT INTO mail (id, about) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, message.id());
      statement.setString(2, message.key());
      statement.executeUpdate();
    }
  }
}
