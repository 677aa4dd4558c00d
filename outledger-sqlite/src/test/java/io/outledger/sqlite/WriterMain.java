// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** A process that writes until it is killed: an effect and its messages in each transaction. */
final class WriterMain {

  static final String EFFECTS = "CREATE TABLE effect (id TEXT NOT NULL)";
  private static final int A_TRANSACTION = 3;

  private WriterMain() {}

  public static void main(String... args) throws SQLException {
    DataSource dataSource = TestSqlite.dataSource(Path.of(args[0]));
    try (Outledger outledger = Outledger.builder(dataSource).withoutRetention().build();
        Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (long round = 0; ; round++) {
        for (int i = 0; i < A_TRANSACTION; i++) {
          UUID id = write(outledger, connection, round % 10 + "");
          try (PreparedStatement effect =
              connection.prepareStatement("INSERT INTO effect (id) VALUES (?)")) {
            effect.setString(1, id.toString());
            effect.executeUpdate();
          }
        }
        if (round % 7 == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
  }

  private static UUID write(Outledger outledger, Connection connection, String key) {
    Message message = Message.to("effects", "effect").key(key).build();
    return outledger.outbox().append(connection, message).get(0);
  }
}
