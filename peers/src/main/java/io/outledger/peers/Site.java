// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where an application works, and for whom.
 *
 * @param jdbcUrl its database, with user and password
 * @param isPublishing whether it may publish; otherwise it writes only, and leaves all for later
 * @param receiver whom it publishes to
 * @param watched what its database is wrapped in
 */
record Site(
    String jdbcUrl, boolean isPublishing, Receiver receiver, UnaryOperator<DataSource> watched) {

  /** What pools take when nobody says otherwise. */
  static final int CONNECTIONS_DEFAULT = 10;

  /** One that writes only. */
  static Site forWriting(String jdbcUrl) {
    return new Site(jdbcUrl, false, number -> {}, UnaryOperator.identity());
  }

  static Site forPublishing(String jdbcUrl, Receiver receiver) {
    return new Site(jdbcUrl, true, receiver, UnaryOperator.identity());
  }

  /** Returns the database without a pool. */
  DataSource dataSource() {
    PGSimpleDataSource plain = new PGSimpleDataSource();
    plain.setURL(jdbcUrl);
    return watched.apply(plain);
  }

  /** Returns the database behind a pool of the usual kind, to be closed by the caller. */
  HikariDataSource pool(int connectionsMax) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(dataSource());
    pool.setMaximumPoolSize(connectionsMax);
    return pool;
  }
}
