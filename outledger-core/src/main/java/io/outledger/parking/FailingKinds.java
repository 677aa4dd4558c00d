// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import io.outledger.Require;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the messages of each kind, a topic and a type, from its first failure to its
 * next success. Whoever sends chooses topics and types, so it is bounded: beyond {@value
 * #KINDS_MAX} the oldest one is forgotten that keeps nothing. Not thread-safe.
 *
 * @param <K> says which kind
 * @param <B> what is known of a kind
 */
public final class FailingKinds<K, B> {

  /** How many kinds there are at most, not counting those that keep messages. */
  public static final int KINDS_MAX = 1_000;

  private final Map<K, B> kinds = new LinkedHashMap<>();
  private final Predicate<? super B> keepsNothing;
  private final BiConsumer<? super K, ? super B> forgotten;

  /**
   * Makes it, with nothing failing.
   *
   * @param keepsNothing whether what is known of a kind may be forgotten, since no message is kept
   *     by it
   * @param forgotten is told of each that was forgotten
   */
  public FailingKinds(
      Predicate<? super B> keepsNothing, BiConsumer<? super K, ? super B> forgotten) {
    this.keepsNothing = Require.nonNull("keepsNothing", keepsNothing);
    this.forgotten = Require.nonNull("forgotten", forgotten);
  }

  /** Returns whether nothing is known of any kind. */
  public boolean isEmpty() {
    return kinds.isEmpty();
  }

  /** Returns what is known of a kind; null where that is nothing. */
  public @Nullable B get(K kind) {
    return kinds.get(Require.nonNull("kind", kind));
  }

  /** Returns what is known of a kind that has failed; made where nothing was known. */
  public B failed(K kind, Supplier<? extends B> made) {
    Require.nonNull("kind", kind);
    Require.nonNull("made", made);
    B known = kinds.get(kind);
    if (known == null) {
      makeRoom();
      known = made.get();
      kinds.put(kind, known);
    }
    return known;
  }

  private void makeRoom() {
    Iterator<Map.Entry<K, B>> oldestFirst = kinds.entrySet().iterator();
    while (kinds.size() >= KINDS_MAX && oldestFirst.hasNext()) {
      Map.Entry<K, B> each = oldestFirst.next();
      if (keepsNothing.test(each.getValue())) {
        oldestFirst.remove();
        forgotten.accept(each.getKey(), each.getValue());
      }
    }
  }

  /** Forgets those for which a test is true, and tells of each. */
  public void forget(Predicate<? super B> which) {
    Require.nonNull("which", which);
    Iterator<Map.Entry<K, B>> all = kinds.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<K, B> each = all.next();
      if (which.test(each.getValue())) {
        all.remove();
        forgotten.accept(each.getKey(), each.getValue());
      }
    }
  }

  /** Removes what is known of a kind, and returns it; null where that is nothing. */
  public @Nullable B remove(K kind) {
    return kinds.remove(Require.nonNull("kind", kind));
  }

  /** Returns what is known of all kinds, the oldest first. */
  public Collection<B> values() {
    return kinds.values();
  }
}
