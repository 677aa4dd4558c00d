// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.Printable;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Says so where relays and handlers may take every connection of the application's pool. */
final class PoolSize {

  private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);
  private static final boolean HAS_HIKARI =
      ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSize.class.getClassLoader());

  private PoolSize() {}

  /**
   * Looks once, at the start.
   *
   * @param relays connections that relays keep
   * @param handlers connections that handlers take at a time, at most
   */
  static void look(DataSource dataSource, int relays, int handlers) {
    OptionalInt size = HAS_HIKARI ? Hikari.size(dataSource) : OptionalInt.empty();
    int all = relays + handlers;
    if (size.isEmpty() || handlers == 0 || all < size.getAsInt()) {
      return;
    }
    LOG.warn(
        "handlers may take every connection of the pool, so that requests wait for one: relays keep"
            + " {} and handlers work with up to {} at a time, and the pool has {}. Set"
            + " spring.datasource.hikari.maximum-pool-size to more than {}, with what requests need"
            + " on top, or lower outledger.handlers.concurrency or the concurrency of"
            + " @OutboxHandler",
        relays,
        handlers,
        size.getAsInt(),
        all);
  }

  /** Loaded only where HikariCP is on the class path. */
  private static final class Hikari {

    private static OptionalInt size(DataSource dataSource) {
      try {
        return dataSource.isWrapperFor(HikariDataSource.class)
            ? OptionalInt.of(dataSource.unwrap(HikariDataSource.class).getMaximumPoolSize())
            : OptionalInt.empty();
      } catch (SQLException | RuntimeException e) { // one that routes, and does not know where to
        LOG.debug("the size of the pool is not known: {}", Printable.text(e));
        return OptionalInt.empty();
      }
    }
  }
}
