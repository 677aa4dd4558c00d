// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool of one connection, which stays open when it is given back. */
final class OneConnection extends PGSimpleDataSource {

  private static final long serialVersionUID = 1L;

  private final transient Connection connection;

  OneConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Connection getConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            OneConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                method.getName().equals("close") ? null : method.invoke(connection, arguments));
  }
}
