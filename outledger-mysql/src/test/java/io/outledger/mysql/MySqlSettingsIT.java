// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.MySql;

final class MySqlSettingsIT extends SettingsIT {

  MySqlSettingsIT() {
    super(MySql.start(), Product.MYSQL);
  }
}
