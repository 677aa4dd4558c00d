// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MariaDb;

final class MariaDbHoleProofIT extends HoleProofIT {

  @Override
  TestDatabase openShared() {
    return TestDatabase.onMariaDb();
  }

  @Override
  TestDatabase openOn(InnoDbServer server) {
    return TestDatabase.on(server, Product.MARIADB);
  }

  @Override
  InnoDbServer startServer(String... settings) {
    return MariaDb.start(settings);
  }
}
