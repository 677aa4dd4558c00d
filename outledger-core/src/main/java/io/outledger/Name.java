// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * The rule for the names of subscriptions, routes, handlers, consumers and instances: short, so
 * that they fit into an index beside other things, and such that a person can read and type them.
 */
public final class Name {

  /** The most characters of a name. */
  public static final int CHARS_MAX = 100;

  private Name() {}

  /**
   * Checks a name.
   *
   * @param what what it names, for the error's text, such as {@code subscription}
   * @param name the name
   * @return the same name
   * @throws ConfigurationException {@code OUT-006} if it is null, empty, longer than {@value
   *     #CHARS_MAX} characters, begins or ends with a blank, or has a character that is not printed
   */
  public static String check(String what, @Nullable String name) {
    Require.nonNull("what", what);
    if (name == null) {
      throw refused(what, "null");
    }
    boolean good =
        !name.isEmpty()
            && name.length() <= CHARS_MAX
            && name.equals(name.strip())
            && name.equals(Printable.value(name));
    if (!good) {
      throw refused(
          what, name.length() > CHARS_MAX ? name.length() + " characters long" : '"' + name + '"');
    }
    return name;
  }

  private static ConfigurationException refused(String what, String found) {
    return new ConfigurationException(
        ErrorCode.INVALID_NAME,
        "the name of the "
            + what
            + " is "
            + found
            + "; it must have 1 to "
            + CHARS_MAX
            + " visible characters and must not start or end with a space");
  }
}
