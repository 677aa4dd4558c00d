// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.jdbc.Outledger;
import io.outledger.servers.MySql;
import org.junit.jupiter.api.Test;

final class MySqlSettingsIT extends SettingsIT {

  MySqlSettingsIT() {
    super(MySql.start(LOG), Product.MYSQL);
  }

  @Override
  TestDatabase withoutLog() {
    return TestDatabase.onMySql();
  }

  /**
   * A lease of another time is not the owner's, and what is due at the end of a second comes early.
   */
  @Test
  void driverThatCutsTimesToSecondsIsRefused() {
    try (TestDatabase database = withoutLog().withTables()) {
      assertThatThrownBy(
              () -> Outledger.builder(database.dataSource("sendFractionalSeconds=false")).build())
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining("take sendFractionalSeconds=false out of the URL");
    }
  }
}
