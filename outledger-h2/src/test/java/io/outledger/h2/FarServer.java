// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import java.sql.SQLException;

/** A function of an application, which asks a server. */
public final class FarServer {

  private FarServer() {}

  static void addTo(TestH2 database) {
    database.execute("CREATE ALIAS far_server FOR '%s.ask'".formatted(FarServer.class.getName()));
  }

  /** Asks it; for H2. */
  public static boolean ask(boolean isDown) throws SQLException {
    if (isDown) {
      throw new SQLException("the far server is down", "08001");
    }
    return true;
  }
}
