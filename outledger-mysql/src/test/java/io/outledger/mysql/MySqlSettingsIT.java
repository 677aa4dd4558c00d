// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.MySql;

final class MySqlSettingsIT extends SettingsIT {

  MySqlSettingsIT() {
    super(MySql.start(LOG), Product.MYSQL);
  }

  @Override
  TestDatabase withoutLog() {
    return TestDatabase.onMySql();
  }
}
