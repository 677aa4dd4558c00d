// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Says so where relays, handlers and receivers may take every connection of the application's pool.
 */
final class PoolSize {

  private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);
  private static final boolean HAS_HIKARI =
      ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolSize.class.getClassLoader());

  private PoolSize() {}

  /**
   * What a process takes of the pool, besides its requests.
   *
   * @param relays relays without a data source of their own: each keeps a connection, and takes
   *     another one for moments
   * @param handlers how many messages handlers work on at a time, each with a connection
   * @param receivers receivers: each takes a connection for a batch, and one to retry what is
   *     parked
   */
  record Needs(int relays, int handlers, int receivers) {

    /** With one to spare, for retention and administration. */
    int all() {
      return 2 * relays + handlers + 2 * receivers + 1;
    }

    /** Names those that there are, for people. */
    @Override
    public String toString() {
      return Stream.of(
              takers(relays, "relay"),
              handlers == 0 ? "" : "handlers work with up to " + handlers + " at a time",
              takers(receivers, "receiver"))
          .filter(each -> !each.isEmpty())
          .collect(Collectors.joining(", "));
    }

    private static String takers(int count, String what) {
      return switch (count) {
        case 0 -> "";
        case 1 -> "1 " + what + " takes up to two";
        default -> count + " " + what + "s take up to two each";
      };
    }
  }

  /** Looks once, at the start. */
  static void look(DataSource dataSource, Needs needs) {
    OptionalInt size = HAS_HIKARI ? Hikari.size(dataSource) : OptionalInt.empty();
    if (size.isEmpty() || needs.all() < size.getAsInt()) {
      return;
    }
    LOG.warn(
        "every connection of the pool may be taken, so that requests wait for one: {}, and the"
            + " pool has {}. Set spring.datasource.hikari.maximum-pool-size to more than {}, with"
            + " what requests need on top, or lower outledger.handlers.concurrency or the"
            + " concurrency of @OutboxHandler, or name a data source for relays in"
            + " outledger.relay.data-source",
        needs,
        size.getAsInt(),
        needs.all());
  }

  /**
   * Looks once, at the start, at the data source that is for relays alone. One that gets no
   * connection would never run, and the keys of its partition stand still.
   *
   * @param kept how many relays keep a connection: one for each partition; they share one more, to
   *     report their status
   * @throws ConfigurationException {@code OUT-021} if it is a pool with fewer; one whose size
   *     cannot be read is left alone
   */
  static void checkOfRelays(DataSource ofRelays, int kept) {
    OptionalInt size = HAS_HIKARI ? Hikari.size(ofRelays) : OptionalInt.empty();
    if (size.isPresent() && size.getAsInt() <= kept) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the pool that outledger.relay.data-source names has "
              + Printable.count(size.getAsInt(), "connection")
              + ", and the relays of this process keep "
              + kept
              + ", one for each partition, and share one to report their status. Set its"
              + " maximum-pool-size to "
              + (kept + 1)
              + " or more, name a data source without a pool, or lower"
              + " outledger.subscriptions.<name>.partitions where the subscription is new");
    }
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
