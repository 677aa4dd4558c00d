// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;

/** The keys of one consumer's ids, in the order of the ids, as values of a statement. Immutable. */
public final class InboxKeys {

  private final List<InboxKey> keys;
  private final Map<UUID, InboxId> ids;

  private InboxKeys(List<InboxKey> keys, Map<UUID, InboxId> ids) {
    this.keys = keys;
    this.ids = ids;
  }

  /**
   * Returns the keys by which a consumer remembers some ids.
   *
   * @param names the consumer, for each subscription of the ids
   */
  static InboxKeys of(Map<String, InboxName> names, Collection<InboxId> ids) {
    List<InboxKey> keys = new ArrayList<>(ids.size());
    Map<UUID, InboxId> byHash = new HashMap<>();
    for (InboxId id : ids) {
      InboxKey key =
          InboxKey.of(Require.nonNull("name", names.get(InboxKey.subscriptionOf(id))), id);
      keys.add(key);
      byHash.put(key.hash(), id);
    }
    return new InboxKeys(List.copyOf(keys), byHash);
  }

  /** Returns the keys of some of these ids, in their order. */
  public InboxKeys of(Set<InboxId> some) {
    Require.nonNull("some", some);
    return new InboxKeys(
        keys.stream().filter(key -> some.contains(ids.get(key.hash()))).toList(), ids);
  }

  /** Returns the keys, in the order of the ids. */
  public List<InboxKey> all() {
    return keys;
  }

  /** Returns the consumer number of each. */
  public Integer[] numbers() {
    return keys.stream().map(InboxKey::consumerNo).toArray(Integer[]::new);
  }

  /** Returns the hash of each. */
  public UUID[] hashes() {
    return keys.stream().map(InboxKey::hash).toArray(UUID[]::new);
  }

  /**
   * Returns the id with a hash.
   *
   * @throws NoSuchElementException if none of them has it
   */
  public InboxId idOf(UUID hash) {
    InboxId id = ids.get(Require.nonNull("hash", hash));
    if (id == null) {
      throw new NoSuchElementException("no id with the hash " + hash);
    }
    return id;
  }
}
