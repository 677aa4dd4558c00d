// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/**
 * The few words that products have in place of those of the standard, in statements that are told
 * once.
 *
 * @param now for <code>{now}</code>: the time, to the microsecond
 * @param bigint for <code>{bigint}</code>, the type in a cast to a number
 * @param varchar for <code>{varchar}</code>, the type in a cast to a name
 * @param text for <code>{text}</code>, the type in a cast to a text of any length
 * @param uuid for <code>{uuid}</code>, the type in a cast to a UUID
 * @param octetLength for <code>{octet_length}</code>, the function that counts a binary value's
 *     bytes
 */
public record SqlWords(
    String now, String bigint, String varchar, String text, String uuid, String octetLength) {

  /** Those of the standard. */
  public static final SqlWords STANDARD =
      new SqlWords(
          "CURRENT_TIMESTAMP", "BIGINT", "VARCHAR(200)", "VARCHAR", "UUID", "OCTET_LENGTH");

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public SqlWords {
    Require.nonNull("now", now);
    Require.nonNull("bigint", bigint);
    Require.nonNull("varchar", varchar);
    Require.nonNull("text", text);
    Require.nonNull("uuid", uuid);
    Require.nonNull("octetLength", octetLength);
  }

  /** Puts the words into a statement. */
  public String in(String statement) {
    return Require.nonNull("statement", statement)
        .replace("{now}", now)
        .replace("{bigint}", bigint)
        .replace("{varchar}", varchar)
        .replace("{text}", text)
        .replace("{uuid}", uuid)
        .replace("{octet_length}", octetLength);
  }
}
