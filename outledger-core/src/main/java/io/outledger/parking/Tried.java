// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

import org.jspecify.annotations.Nullable;

/** A message on its way out or in, as far as it matters who is to blame for its failures. */
public interface Tried {

  /** Returns what tells it from all other messages; compared by {@code equals}. */
  Object place();

  /** Returns what keeps its order with others; compared by {@code equals}; null for nothing. */
  @Nullable Object key();

  /** Returns its topic. */
  String topic();

  /** Returns the name of its type: messages of one topic and type are of one kind. */
  String type();
}
