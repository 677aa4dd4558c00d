// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class PostgresDriverTest {

  @Test
  void whereTheDriverIsNotThereNothingIsKnown() throws Exception {
    assertThat(isKnownAlive(PostgresDriver.class)).isTrue();
    URL classes = PostgresDriver.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader withoutDriver =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      assertThat(isKnownAlive(withoutDriver.loadClass(PostgresDriver.class.getName()))).isFalse();
    }
  }

  /** Asks about a connection that is a driver's, in a transaction that has not failed. */
  private static boolean isKnownAlive(Class<?> postgresDriver) throws Exception {
    Method method = postgresDriver.getDeclaredMethod("isKnownAlive", Connection.class);
    method.setAccessible(true);
    return (boolean) method.invoke(null, connection());
  }

  private static Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            PostgresDriverTest.class.getClassLoader(),
            new Class<?>[] {org.postgresql.core.BaseConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isWrapperFor" -> true;
                  case "unwrap" -> proxy;
                  case "getTransactionState" -> org.postgresql.core.TransactionState.OPEN;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
