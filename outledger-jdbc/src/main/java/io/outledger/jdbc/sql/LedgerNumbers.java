// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

/** What was noted over one session of the ledger's last number. Not thread-safe. */
public final class LedgerNumbers {

  private long lastMax;
  private boolean behind;

  /** Creates it, with nothing noted. */
  public LedgerNumbers() {}

  /**
   * Notes the last number of the ledger that is taken over, and forgets earlier ones: it may be
   * another ledger, in which the subscription was placed since.
   */
  public void begin(long last) {
    lastMax = last;
    behind = false;
  }

  /** Notes the last number that the ledger has drawn. */
  public void note(long last) {
    behind = behind || last < lastMax;
    lastMax = Math.max(lastMax, last);
  }

  /** Returns whether a number was noted that is behind an earlier one: some are drawn again. */
  public boolean isRenumbered() {
    return behind;
  }
}
