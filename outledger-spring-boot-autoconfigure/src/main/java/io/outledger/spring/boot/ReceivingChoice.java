// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The properties of a broker that messages are received from. */
interface ReceivingChoice extends BrokerChoice {

  /**
   * Returns what this receiver takes messages from, each of which goes to one consumer alone.
   *
   * @param consumer the consumer's name
   */
  Set<Source> sources(String consumer);

  /**
   * What messages are taken from.
   *
   * @param text says what it is, for people, such as {@code queue orders}
   * @param place the broker, where properties say which; it may be a secret
   */
  record Source(String text, @Nullable String place) {

    static Set<Source> of(String kind, @Nullable String name, @Nullable String place) {
      return name == null ? Set.of() : Set.of(new Source(kind + " " + name, place));
    }

    /** The same of what has a name within something else. */
    static Set<Source> within(
        String kind, String name, String outer, @Nullable String within, @Nullable String place) {
      return of(kind + " " + name + " of the " + outer, within, place);
    }

    /** Says what it is. */
    @Override
    public String toString() {
      return text;
    }
  }
}
