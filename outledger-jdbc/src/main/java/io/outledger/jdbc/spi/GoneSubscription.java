// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;

/** The errors of a relay whose subscription is no longer there. */
public final class GoneSubscription {

  private GoneSubscription() {}

  /**
   * Returns the error of a relay whose subscription was deleted while it ran.
   *
   * @return an exception {@code OUT-025}, with which the relay stops for good
   * @throws ConfigurationException {@code OUT-021} if the key is null
   */
  public static ConfigurationException deleted(CursorKey key) {
    return new ConfigurationException(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        "subscription \""
            + Require.nonNull("key", key)
            + "\" was deleted while its relay was running. Restart the relay to create the"
            + " subscription again at its configured start");
  }

  /**
   * Checks that there is no subscription of a name that another one is to have.
   *
   * @param isFree whether there is none
   * @throws ConfigurationException {@code OUT-021} if there is one, or the key is null
   */
  public static void requireFree(CursorKey key, boolean isFree) {
    Require.nonNull("key", key);
    if (!isFree) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "there is a subscription \""
              + key
              + "\" already; nothing was renamed. If a new version of the application was started"
              + " too early and has made it, stop that version, delete this subscription, and ask"
              + " again");
    }
  }

  /**
   * Returns the error of a relay whose subscription is missing, and no row says that it was
   * deleted. It may be on its way: a restore loads one table first.
   *
   * @return an exception {@code OUT-025}, after which the relay looks again
   * @throws ConfigurationException {@code OUT-021} if the key is null
   */
  public static StoreException missing(CursorKey key) {
    return new StoreException(
        ErrorCode.UNKNOWN_SUBSCRIPTION,
        "subscription \""
            + Require.nonNull("key", key)
            + "\" is missing but was not deleted: the database is being restored, or the backup is"
            + " older than the subscription. The relay keeps checking; restart it to create the"
            + " subscription again at its configured start");
  }
}
