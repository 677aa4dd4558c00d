// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayConnectionTest {

  private final List<String> done = new ArrayList<>();
  private int opened;
  private final RelayConnection<Recorded> connection =
      new RelayConnection<>(() -> new Recorded(++opened), failure -> ErrorClass.CONNECTION_LOST);

  /** A session that notes how it ends. */
  private final class Recorded implements RelayConnection.Session {

    private final int number;

    private Recorded(int number) {
      this.number = number;
    }

    @Override
    public void close() throws SQLException {
      done.add("close " + number);
      if (number == 2) {
        throw new SQLException("planted");
      }
    }

    @Override
    public void closeAfter(Throwable failure) {
      done.add("close " + number + " after " + failure.getMessage());
    }

    @Override
    public void abortAfter(Throwable failure) {
      done.add("abort " + number + " after " + failure.getMessage());
    }
  }

  @Test
  void oneConnectionServesAllCallsUntilItIsClosed() {
    connection.close();
    assertThat(number()).isEqualTo(1);
    connection.run("doing", session -> done.add("use " + session.number));
    connection.close();
    assertThat(number()).isEqualTo(2);
    assertThat(done).containsExactly("use 1", "close 1");
  }

  @Test
  void failureOfTheDatabaseClosesTheConnectionAndTheNextCallOpensAnother() {
    assertThatThrownBy(
            () ->
                connection.run(
                    "asking",
                    session -> {
                      throw new SQLException("lost");
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("asking");
    assertThat(number()).isEqualTo(2);
    assertThat(done).containsExactly("close 1 after lost");
  }

  @Test
  void otherFailureEndsTheConnectionWhereItStands() {
    IllegalStateException failure = new IllegalStateException("broken");
    assertThatThrownBy(
            () ->
                connection.run(
                    "asking",
                    session -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(number()).isEqualTo(2);
    assertThat(done).containsExactly("abort 1 after broken");
  }

  @Test
  void answerThatSomethingIsConfiguredWronglyKeepsTheConnection() {
    ConfigurationException answer =
        new ConfigurationException(ErrorCode.SCHEMA_MISSING, "no tables");
    assertThatThrownBy(
            () ->
                connection.run(
                    "asking",
                    session -> {
                      throw answer;
                    }))
        .isSameAs(answer);
    assertThat(number()).isEqualTo(1);
    assertThat(done).isEmpty();
  }

  @Test
  void closeThatFailsSaysSoAndForgetsTheConnection() {
    connection.run("doing", session -> {});
    connection.close();
    connection.run("doing", session -> {});
    assertThatThrownBy(connection::close)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("closing the relay's connection");
    assertThat(number()).isEqualTo(3);
  }

  private int number() {
    return connection.call("asking", session -> session.number);
  }
}
