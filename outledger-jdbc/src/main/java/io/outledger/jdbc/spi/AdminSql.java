// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;

/**
 * A database's texts for what an operator reads, where they have to differ. Parts of statements
 * have a {@code %s} for the column that they work on.
 *
 * @param ledgerBytes a statement: how many bytes the ledger takes, with its indexes
 * @param lastNumber a statement: the last position that was drawn; 0 if none was
 * @param payloadCut a part: the first bytes of a payload; one parameter, how many
 * @param contains a part: whether a text contains another one, exact in case; one parameter, that
 * @param appended a part: when a row {@code m} of outledger_message was inserted, as a time like
 *     that of {@code {now}}
 * @param seconds a part: how many seconds an age of {@code outledger_lag} is
 * @param published a statement for a position at which a message is: subscription, partition, when
 *     it was published at the latest or null, and whether it was discarded
 * @param openRanges a statement for a subscription, a partition and a limit: the first and the last
 *     position of each range that is open, in order
 */
public record AdminSql(
    String ledgerBytes,
    String lastNumber,
    String payloadCut,
    String contains,
    String appended,
    String seconds,
    String published,
    String openRanges) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public AdminSql {
    Require.nonNull("ledgerBytes", ledgerBytes);
    Require.nonNull("lastNumber", lastNumber);
    Require.nonNull("payloadCut", payloadCut);
    Require.nonNull("contains", contains);
    Require.nonNull("appended", appended);
    Require.nonNull("seconds", seconds);
    Require.nonNull("published", published);
    Require.nonNull("openRanges", openRanges);
  }

  /**
   * Returns the same with the names of a schema's tables in it.
   *
   * @param naming the words of its schema
   */
  public AdminSql with(SqlNaming naming) {
    Require.nonNull("naming", naming);
    return new AdminSql(
        naming.in(ledgerBytes),
        naming.in(lastNumber),
        payloadCut,
        contains,
        appended,
        seconds,
        naming.in(published),
        naming.in(openRanges));
  }
}
