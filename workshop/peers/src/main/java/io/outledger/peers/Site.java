// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where an application works, and for whom.
 *
 * @param jdbcUrl its database, with user and password
 * @param isPublishing whether it may publish; otherwise it writes only, and leaves all for later
 * @param receiver whom it publishes to
 * @param reader by what name it publishes: one that remembers how far a reader got begins with the
 *     earliest message for a new name, and goes on with one that it knows
 * @param watched what its database is wrapped in
 */
record Site(
    String jdbcUrl,
    boolean isPublishing,
    Receiver receiver,
    String reader,
    UnaryOperator<DataSource> watched) {

  /** What pools take when nobody says otherwise. */
  static final int CONNECTIONS_DEFAULT = 10;

  /** One that writes only. */
  static Site forWriting(String jdbcUrl) {
    return new Site(jdbcUrl, false, number -> {}, "", UnaryOperator.identity());
  }

  /** One that publishes as a new reader. */
  static Site forPublishing(String jdbcUrl, Receiver receiver) {
    String reader = "compared-" + UUID.randomUUID();
    return new Site(jdbcUrl, true, receiver, reader, UnaryOperator.identity());
  }

  /** One that publishes and goes on where one before it in the same database got to. */
  static Site forPublishingOn(String jdbcUrl, Receiver receiver) {
    return new Site(jdbcUrl, true, receiver, "compared", UnaryOperator.identity());
  }

  /** Returns it with its database wrapped. */
  Site watchedBy(UnaryOperator<DataSource> watch) {
    return new Site(jdbcUrl, isPublishing, receiver, reader, watch);
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
