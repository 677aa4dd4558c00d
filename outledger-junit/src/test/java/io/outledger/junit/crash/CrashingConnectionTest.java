// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a connection of a process that can crash makes of calls around its end. */
final class CrashingConnectionTest {

  private static final String URL = "jdbc:h2:mem:crashing-connection";

  private final Connection real = connect();
  private final CrashSteps steps = new CrashSteps(1);

  private static Connection connect() {
    try {
      return DriverManager.getConnection(URL);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() throws SQLException {
    real.close();
  }

  @Test
  void crashOfAThreadThatWasInterruptedCutsItsConnections() throws SQLException {
    CrashingConnection.around(real, steps);
    steps.startCounting();
    Thread.currentThread().interrupt();
    assertThat(crashes()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(real.isClosed()).isTrue();
  }

  @Test
  void connectionThatTheCrashDidNotCutIsCutWhenItIsClosed() throws SQLException {
    crash();
    CrashingConnection.around(real, steps).close();
    assertThat(real.isClosed()).isTrue();
  }

  @Test
  void beginningATransactionAgainCommitsNothing() throws SQLException {
    CrashSteps counted = new CrashSteps(CrashSteps.NEVER);
    Connection connection = CrashingConnection.around(real, counted);
    connection.setAutoCommit(false);
    counted.startCounting();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS done (id INTEGER)");
      connection.setAutoCommit(false);
      connection.commit();
    }
    assertThat(counted.taken())
        .containsExactly(
            "before CREATE TABLE IF NOT EXISTS done (id INTEGER)", "before COMMIT", "after COMMIT");
  }

  @Test
  void commitBySettingAutoCommitIsAStep() throws SQLException {
    CrashSteps counted = new CrashSteps(CrashSteps.NEVER);
    Connection connection = CrashingConnection.around(real, counted);
    connection.setAutoCommit(false);
    counted.startCounting();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS done (id INTEGER)");
      connection.setAutoCommit(true);
    }
    assertThat(counted.taken()).endsWith("after COMMIT by setAutoCommit(true)");
  }

  @Test
  void connectionAndStatementAreNamedAndComparedAfterTheCrash() throws SQLException {
    Connection connection = CrashingConnection.around(real, steps);
    Statement statement = connection.createStatement();
    crash();
    assertThat(connection).asString().isNotEmpty();
    assertThat(statement).asString().isNotEmpty();
    assertThat(statement.equals(statement)).isTrue();
    assertThat(Set.of(connection, statement)).contains(connection, statement);
  }

  private void crash() {
    steps.startCounting();
    assertThat(crashes()).isTrue();
  }

  private boolean crashes() {
    try {
      steps.takeOrThrow("at the end");
      return false;
    } catch (CrashError e) {
      return true;
    }
  }
}
