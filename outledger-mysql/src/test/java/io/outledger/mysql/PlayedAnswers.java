// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** A server of another build, as far as one of its answers tells it; the rest is a real one's. */
final class PlayedAnswers {

  private PlayedAnswers() {}

  /** What is executed in place of a statement. */
  @FunctionalInterface
  interface Played {

    /**
     * Returns the statement itself where it is not played.
     *
     * @throws SQLException if the server that is played refuses it
     */
    String instead(String sql) throws SQLException;
  }

  /** Returns a connection whose prepared statements are played. */
  static Connection over(Connection real, Played played) {
    return (Connection)
        Proxy.newProxyInstance(
            PlayedAnswers.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, values) -> {
              try {
                return method.getName().equals("prepareStatement") && values.length == 1
                    ? real.prepareStatement(played.instead((String) values[0]))
                    : method.invoke(real, values);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }
}
