// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.relay.Slots;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A subscription as a relay was configured with it.
 *
 * @param key its name and partition
 * @param start where it starts when it is made
 * @param lease how long its owner's lease is: what waits for longer is given up
 * @param instance the name of the instance, for people who read what it has declared
 * @param shares into how many partitions its keys are divided, and which of them it reads
 */
public record RelaySubscription(
    CursorKey key, Start start, Duration lease, String instance, Shares shares) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RelaySubscription {
    Require.nonNull("key", key);
    Require.nonNull("start", start);
    Require.nonNull("lease", lease);
    Require.nonNull("instance", instance);
    Require.nonNull("shares", shares);
  }

  /**
   * The partitions of which messages are wanted whole. A poll returns all messages, or those of
   * others would look like holes; it may leave the payload and headers of those out.
   *
   * @param slots how many partitions there are
   * @param wanted their numbers, from 0
   */
  public record Shares(Slots slots, Set<Integer> wanted) {

    /** That of a subscription that is not divided. */
    public static final Shares WHOLE = new Shares(new Slots(1), Set.of(0));

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
     */
    public Shares {
      Require.nonNull("slots", slots);
      wanted = Set.copyOf(Require.nonNull("wanted", wanted));
    }

    /** Returns whether all messages are wanted. */
    public boolean isAll() {
      return wanted.size() == slots.count();
    }

    /** Returns whether the message that has this key, or null for none, and this id is wanted. */
    public boolean has(@Nullable String key, UUID id) {
      Require.nonNull("id", id);
      return isAll() || wanted.contains(slots.of(key, id));
    }
  }

  /** Returns into how many partitions its keys are divided. */
  public Slots slots() {
    return shares.slots();
  }

  /** Returns of whom its relays declare something. */
  public DeclarationTable.Reader reader() {
    return DeclarationTable.Reader.subscription(key.subscription(), instance);
  }

  /** Returns whether it is divided into partitions. */
  public boolean isDivided() {
    return slots().count() > 1;
  }

  /** Makes one that is not divided. */
  public RelaySubscription(CursorKey key, Start start, Duration lease, String instance) {
    this(key, start, lease, instance, Shares.WHOLE);
  }

  /** Makes one of an instance without a name. */
  public RelaySubscription(CursorKey key, Start start, Duration lease) {
    this(key, start, lease, "");
  }
}
