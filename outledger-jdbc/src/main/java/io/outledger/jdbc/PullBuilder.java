// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RelaySubscription.Shares;
import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Relay;
import io.outledger.relay.Slots;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.listener.RelayLog;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Builds a {@link Pull} of a subscription, for an engine that sends messages itself. Not
 * thread-safe.
 */
public final class PullBuilder {

  private final String subscription;
  private final Parts parts;
  private final RelayOptions.Builder options = RelayOptions.builder();
  private Slots slots = new Slots(1);
  private Collection<Integer> mine = Set.of(0);
  private Start start = Start.EARLIEST;
  private RelayListener listener = event -> {};

  PullBuilder(String subscription, Parts parts) {
    this.subscription = subscription;
    this.parts = parts;
  }

  /** What all pulls of one {@link Outledger} share. */
  record Parts(
      DataSource dataSource,
      BiFunction<DataSource, RelaySubscription, RelayStore> stores,
      StatusBoard statuses,
      TimeSource time,
      Runnable startInBackground) {}

  /**
   * Sets how many slots the subscription has, and which of them are pulled here. The default is
   * one. The number cannot change once the subscription is there. Slots are the partitions of a
   * relay: what one of them has read, the other goes on from.
   *
   * @param pulled their numbers, from 0 on; at least one
   */
  public PullBuilder slots(Slots all, Collection<Integer> pulled) {
    slots = Require.nonNull("all", all);
    mine = new TreeSet<>(Require.nonNull("pulled", pulled));
    return this;
  }

  /** Sets where the subscription starts when it is created; the default is the earliest message. */
  public PullBuilder from(Start value) {
    start = Require.nonNull("from", value);
    return this;
  }

  /**
   * Sets the options of reading: lease, polling, window and holes. May be called more than once.
   */
  public PullBuilder options(Consumer<RelayOptions.Builder> value) {
    Require.nonNull("options", value).accept(options);
    return this;
  }

  /** Adds a listener. The listener that writes the log always remains. */
  public PullBuilder listener(RelayListener value) {
    listener = listener.and(Require.nonNull("listener", value));
    return this;
  }

  /**
   * Builds a pull, which the caller closes. All its slots share one connection. Also starts the
   * retention, unless {@link OutledgerBuilder#withoutRetention()} disabled it.
   *
   * @param journal where the frontiers are kept
   * @throws ConfigurationException {@code OUT-021} if an option or a slot's number is not valid
   */
  public Pull build(PullJournal journal) {
    Require.nonNull("journal", journal);
    RelayOptions built = options.build();
    String name = Printable.value(subscription);
    DataSource shared = new SharedSession(parts.dataSource());
    Map<Integer, RelayStore> stores = new TreeMap<>();
    RelayListener heard = new RelayLog(subscription, parts.time());
    for (int slot : mine) {
      CursorKey key = CursorKey.ofSlot(subscription, slots, slot);
      String instance = parts.statuses().instance();
      RelaySubscription wanted =
          new RelaySubscription(
              key, start, built.lease(), instance, new Shares(slots, Set.copyOf(mine)));
      stores.put(slot, parts.stores().apply(shared, wanted));
      heard = heard.and(parts.statuses().listener(key));
    }
    Pull pull =
        new Pull(
            new Pull.Parts(slots, stores, journal),
            built,
            heard.and(listener), // last: what it throws keeps nobody else from hearing
            new Relay.Surroundings(
                parts.time(), new SecureRandom(), ReadAhead.onThread("outledger-reader-" + name)));
    parts.startInBackground().run();
    return pull;
  }
}
