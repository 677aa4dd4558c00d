// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which parked messages a request is for. Held ones are never meant: each follows another. */
public sealed interface Which {

  /**
   * One parked message of a subscription.
   *
   * @param place where it is parked, as a list returns it
   */
  record Place(ParkedPlace place) implements Which {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if it is null
     */
    public Place {
      Require.nonNull("place", place);
    }
  }

  /**
   * One parked message of a consumer.
   *
   * @param number its number, as a list returns it
   */
  record Numbered(long number) implements Which {}

  /**
   * All that fit, pinned to what the operator saw.
   *
   * @param selection which of them; not held ones
   * @param parkedUntil only what was parked until then, by the database's clock; null for the time
   *     at which it is asked for
   * @param shown how many the operator was shown: the request is refused if there are more by then;
   *     null for any number
   */
  record Selected(ParkedSelection selection, @Nullable Instant parkedUntil, @Nullable Long shown)
      implements Which {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if the selection is null or of held messages,
     *     or the count is negative
     */
    public Selected {
      if (Require.nonNull("selection", selection).state() == ParkedState.HELD) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "held messages cannot be retried or discarded: each is released when the parked message"
                + " ahead of it is published or discarded; select dead or retrying messages");
      }
      if (shown != null && shown < 0) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, "shown is " + shown + " but must not be negative");
      }
    }

    /** Creates one of all that fit when it is asked for. */
    public Selected(ParkedSelection selection) {
      this(selection, null, null);
    }
  }
}
