// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Name;
import io.outledger.relay.Slots;

/**
 * Divides a subscription into another number of partitions, while its processes run or not: its
 * owners read up to a common position, settle or park what they have, and release their leases;
 * then one transaction places the new partitions there, with what is open, and gives parked
 * messages to the partition of their key. Nothing is lost, nothing comes twice, and each key stays
 * in order.
 *
 * <p>It is running until the old partitions have no owner. Its result says for which it waits: a
 * handler that is stuck, an outage or a pause holds it up. {@link io.outledger.jdbc.Requests#stop}
 * ends it before anything has changed. Processes with the new number wait until it is done, and
 * then take over; those with the old one are refused with {@code OUT-060} from then on.
 *
 * <p>Refused where slots of a connector have read the subscription last, and while another request
 * divides it.
 *
 * @param subscription its name
 * @param partitions how many there are to be, 1 to {@value Slots#MAX}; 1 for one that is not
 *     divided
 */
public record Divide(String subscription, int partitions) implements Verb.OfPartitions {

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-006} if the name is not valid, {@code OUT-021} if the
   *     number is not within its bounds
   */
  public Divide {
    Name.check("subscription", subscription);
    if (partitions < 1 || partitions > Slots.MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "partitions is " + partitions + " but must be 1 to " + Slots.MAX);
    }
  }

  @Override
  public Reader reader() {
    return Reader.subscription(subscription);
  }
}
