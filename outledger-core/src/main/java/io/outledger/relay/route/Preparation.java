// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.publish.Outcome;
import io.outledger.relay.context.UserCode;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Declaration;
import io.outledger.store.LedgerMessage;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a message's transforms: one to publish, nothing, or a rejection.
 *
 * @param message the message to publish, or null
 * @param rejected why it must not be published, or null
 * @param lacked what another instance has declared for it and this one does not have, or null
 */
record Preparation(
    @Nullable Message message, Outcome.@Nullable Rejected rejected, @Nullable Declaration lacked) {

  /** Nothing is to be published. */
  static final Preparation SKIPPED = new Preparation(null, null, null);

  /** Prepares a message; no transform sees one that cannot be read. */
  static Preparation of(Transforms transforms, LedgerMessage origin) {
    String unreadable = origin.unreadable();
    return unreadable == null
        ? of(transforms, origin.message())
        : rejected(unreadable, Outcome.Rejected.Kind.FINAL);
  }

  static Preparation of(Transforms transforms, Message message) {
    try {
      return passed(transforms, message);
    } catch (Throwable e) {
      return rejected("a transform failed: " + Printable.text(e), Outcome.Rejected.Kind.DEFINITE);
    } finally {
      UserCode.clearInterrupt();
    }
  }

  private static Preparation passed(Transforms transforms, Message message) {
    if (!transforms.filter().test(message)) {
      return SKIPPED;
    }
    Optional<String> refusal = transforms.guard().apply(message);
    if (refusal.isPresent()) {
      return rejected(
          "OUT-024 a guard refused the message: " + refusal.get(), Outcome.Rejected.Kind.FINAL);
    }
    Message mapped = transforms.map().apply(transforms.enrich().apply(message));
    if (!Objects.equals(mapped.id(), message.id())
        || !Objects.equals(mapped.key(), message.key())) {
      return rejected(
          "a transform changed the id or key of the message, which is not allowed",
          Outcome.Rejected.Kind.FINAL);
    }
    return new Preparation(mapped, null, null);
  }

  /**
   * Returns the route's own preparation: nothing, if the route does not want the message. One that
   * cannot be read is every route's, for none can tell; so is one of which the transforms have made
   * nothing, where the route goes by what they make.
   */
  Preparation in(Route route, LedgerMessage origin) {
    Message seen = seenBy(route, origin);
    if (isSkipped() || origin.unreadable() != null || seen == null) {
      return this;
    }
    try {
      return route.accepts().test(seen) ? this : SKIPPED;
    } catch (Throwable e) {
      String reason = "the route's accepts function threw an exception: " + Printable.text(e);
      return rejected(reason, Outcome.Rejected.Kind.DEFINITE);
    } finally {
      UserCode.clearInterrupt();
    }
  }

  /** Returns the message by which a route decides; null where there is none. */
  @Nullable Message seenBy(Route route, LedgerMessage origin) {
    return route.seesResult() ? message : origin.message();
  }

  boolean isSkipped() {
    return message == null && rejected == null && lacked == null;
  }

  /** Returns a message as it stands in the ledger. */
  static Preparation of(LedgerMessage origin) {
    return new Preparation(origin.message(), null, null);
  }

  /** Returns the preparation of a message that is to be parked for another instance. */
  Preparation keptFor(@Nullable Declaration declared) {
    return declared == null ? this : new Preparation(message, rejected, declared);
  }

  private static Preparation rejected(String reason, Outcome.Rejected.Kind kind) {
    return new Preparation(null, new Outcome.Rejected(reason, kind), null);
  }
}
