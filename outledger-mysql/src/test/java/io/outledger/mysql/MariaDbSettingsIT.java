// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.MariaDb;

final class MariaDbSettingsIT extends SettingsIT {

  MariaDbSettingsIT() {
    super(MariaDb.start(LOG), Product.MARIADB);
  }

  @Override
  TestDatabase withoutLog() {
    return TestDatabase.onMariaDb();
  }
}
