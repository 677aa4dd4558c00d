// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.sql.Connection;

final class MySqlDatesIT extends DatesIT {

  MySqlDatesIT() {
    super(TestDatabase.onMySql());
  }

  @Override
  void allowAll(Connection connection) {
    // Before 8.0.16 it checks no constraint.
  }
}
