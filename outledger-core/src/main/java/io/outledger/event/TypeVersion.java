// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Require;
import io.outledger.store.Declaration;
import java.util.Comparator;

/**
 * A type's name and a version of it, as a message carries them.
 *
 * @param name the name, which may be a former one
 * @param version the version, 1 or more
 */
public record TypeVersion(String name, int version) implements Comparable<TypeVersion> {

  private static final Comparator<TypeVersion> ORDER =
      Comparator.comparing(TypeVersion::name).thenComparing(TypeVersion::version);

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the name is null
   */
  public TypeVersion {
    Require.nonNull("name", name);
  }

  /** Orders by name, then by version. */
  @Override
  public int compareTo(TypeVersion other) {
    return ORDER.compare(this, other);
  }

  /** Returns it as a declaration names it, such as {@code order.placed v1}. */
  @Override
  public String toString() {
    return Declaration.type(name, version);
  }
}
