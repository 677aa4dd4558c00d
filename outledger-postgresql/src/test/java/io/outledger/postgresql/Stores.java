// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Duration;
import javax.sql.DataSource;

/** Makes relay stores over one data source. */
record Stores(DataSource dataSource) {

  RelayStore relayStore(String subscription, Start start, Duration lease) {
    return new PostgresDatabase(new Tables(Tables.DEFAULT_SCHEMA))
        .relayStore(
            dataSource, new RelaySubscription(new CursorKey(subscription, 0), start, lease));
  }
}
