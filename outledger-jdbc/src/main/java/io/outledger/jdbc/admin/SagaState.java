// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One saga, with its state and what is parked of it.
 *
 * @param saga what is known of it
 * @param state the beginning of its state as the serializer has written it, as long as it was asked
 *     for; null if it was not
 * @param parked the messages that have its key and are parked by the handler of its name, in the
 *     subscriptions of this ledger and as a consumer: the first {@value #PARKED_MAX} of each
 */
public record SagaState(
    SagaInfo saga,
    @SuppressWarnings("ArrayRecordComponent") byte @Nullable [] state,
    List<Parked> parked) {

  /** The most parked messages that are shown of each owner. */
  public static final int PARKED_MAX = 10;

  /** Leaves out the state, which may be personal data. */
  @Override
  public String toString() {
    return "SagaState[" + saga + ", " + parked.size() + " parked]";
  }
}
