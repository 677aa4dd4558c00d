// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** A set of objects that are the same only where they are one object. Not thread-safe. */
final class Identities<T> {

  private final Set<T> set = Collections.newSetFromMap(new IdentityHashMap<>());

  static <T> Identities<T> of(Collection<? extends T> elements) {
    Identities<T> identities = new Identities<>();
    identities.set.addAll(elements);
    return identities;
  }

  boolean isEmpty() {
    return set.isEmpty();
  }

  boolean contains(T element) {
    return set.contains(element);
  }

  void addAll(Collection<? extends T> elements) {
    set.addAll(elements);
  }

  void removeAll(Collection<? extends T> elements) {
    elements.forEach(set::remove);
  }

  void clear() {
    set.clear();
  }
}
