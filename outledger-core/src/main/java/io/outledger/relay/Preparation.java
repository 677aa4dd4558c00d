// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the steps have made of a message: one to publish, nothing, or a rejection.
 *
 * @param message the message to publish, or null
 * @param rejected why it must not be published, or null
 */
record Preparation(@Nullable Message message, Outcome.@Nullable Rejected rejected) {

  private static final Preparation SKIPPED = new Preparation(null, null);

  static Preparation of(Steps steps, Message message) {
    try {
      if (!steps.filter().test(message)) {
        return SKIPPED;
      }
      Optional<String> refusal = steps.guard().apply(message);
      if (refusal.isPresent()) {
        return rejected("OUT-024 refused: " + refusal.get(), Outcome.Rejected.Kind.FINAL);
      }
      Message mapped = steps.map().apply(steps.enrich().apply(message));
      if (!mapped.id().equals(message.id()) || !Objects.equals(mapped.key(), message.key())) {
        return rejected("a step changed the message's id or key", Outcome.Rejected.Kind.FINAL);
      }
      return new Preparation(mapped, null);
    } catch (RuntimeException e) {
      return rejected("a step failed: " + e, Outcome.Rejected.Kind.DEFINITE);
    }
  }

  boolean isSkipped() {
    return message == null && rejected == null;
  }

  private static Preparation rejected(String reason, Outcome.Rejected.Kind kind) {
    return new Preparation(null, new Outcome.Rejected(reason, kind));
  }
}
