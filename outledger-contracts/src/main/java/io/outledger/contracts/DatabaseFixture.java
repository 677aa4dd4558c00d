// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.jdbc.spi.Database;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * One empty database, without tables of ours. Opened for each test; used by several threads where
 * the data source is.
 */
public interface DatabaseFixture {

  /** Returns the promises, for the default schema. */
  Database database();

  /** Returns connections to the database; at least eight may be open at once. */
  DataSource dataSource();

  /**
   * Lets time pass by the database's clock: by waiting, or by moving what it is compared with.
   *
   * @param time at least this much; 1 s at most
   */
  void letPass(Duration time);

  /** Ends what is open, and removes what was made. */
  void close() throws Exception;
}
