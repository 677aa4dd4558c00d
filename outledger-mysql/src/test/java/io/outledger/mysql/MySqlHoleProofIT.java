// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MySql;
import org.junit.jupiter.api.Tag;

/** In {@code ./verify} it is tried on MariaDB. */
@Tag("long")
final class MySqlHoleProofIT extends HoleProofIT {

  @Override
  TestDatabase openShared() {
    return TestDatabase.onMySql();
  }

  @Override
  TestDatabase openOn(InnoDbServer server) {
    return TestDatabase.on(server, Product.MYSQL);
  }

  @Override
  InnoDbServer startServer(String... settings) {
    return MySql.start(settings);
  }
}
