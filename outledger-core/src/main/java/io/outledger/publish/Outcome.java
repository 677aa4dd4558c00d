// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import io.outledger.Printable;
import io.outledger.Require;
import org.jspecify.annotations.Nullable;

/** The outcome of publishing a message. */
public sealed interface Outcome {

  /** The destination has acknowledged the message. */
  record Published() implements Outcome {}

  /**
   * This message was not and cannot be published now, and no other message is to blame or
   * concerned.
   *
   * @param reason what happened, for people; without payload or secrets; made {@linkplain
   *     Printable#text printable}
   * @param kind what it says of later messages and attempts
   */
  record Rejected(String reason, Rejected.Kind kind) implements Outcome {

    /** The meaning of a rejection for later messages and attempts. */
    public enum Kind {
      /**
       * It may be the destination and not the message, as when a handler throws; counts for the
       * breaker.
       */
      SUSPECT,
      /**
       * It is the message's topic for certain, as when that does not exist or may not be written,
       * whatever the message: no attempt is counted, and the topic's messages are kept back at once
       * while one at a time probes.
       */
      TOPIC,
      /** It is this message for certain, as when it is too large; a later attempt may succeed. */
      DEFINITE,
      /**
       * It is not at fault, but what it needs is not in this process yet, such as the build that
       * can read what its handler keeps for its key: it is parked, and no attempt is counted.
       */
      NOT_YET,
      /** No attempt can ever succeed, as with a payload that cannot be read: dead at once. */
      FINAL,
      /**
       * It was certainly not sent, because an earlier message of its key was rejected while it
       * waited in the client. No attempt is counted: it is held behind the other, or handed over
       * again where nothing holds its key. Only together with the other's rejection.
       */
      BEHIND
    }

    /** Makes the reason printable. */
    public Rejected {
      Require.nonNull("reason", reason);
      Require.nonNull("kind", kind);
      reason = Printable.text(reason);
    }
  }

  /**
   * The message met an outage: the destination could not be reached, or did not say what became of
   * it. Who is to blame, the message, its topic or the destination, is not for the publisher to
   * say: the relay decides that from what becomes of other messages.
   *
   * @param reason what happened, for people; without payload or secrets; made {@linkplain
   *     Printable#text printable}
   * @param kind what is known of the message
   */
  record Unavailable(String reason, Unavailable.Kind kind) implements Outcome {

    /** What is known of a message that met an outage. */
    public enum Kind {
      /**
       * It was certainly not sent: where that is so of every message, the client is kept, and used
       * again when the destination is probed.
       */
      UNSENT,
      /** The connection was lost, or the like, so its fate is unknown. The client is closed. */
      LOST,
      /**
       * It was sent and not answered in time, while its connection lives, so its fate is unknown.
       * Where others were answered meanwhile, the client is used further.
       */
      UNANSWERED
    }

    /** Makes the reason printable. */
    public Unavailable {
      Require.nonNull("reason", reason);
      Require.nonNull("kind", kind);
      reason = Printable.text(reason);
    }

    /** Returns whether the message was certainly not sent. */
    public boolean isFateKnown() {
      return kind == Unavailable.Kind.UNSENT;
    }
  }

  /** The one instance of {@link Published}. */
  Outcome PUBLISHED = new Published();

  /**
   * Returns a rejection of this message alone, which a later attempt may not meet.
   *
   * @param reason as {@link Rejected#reason()}; null where none is known, here and below
   */
  static Outcome rejected(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.DEFINITE);
  }

  /** Returns a rejection of a message that waits for what it needs; no attempt is counted. */
  static Outcome notYet(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.NOT_YET);
  }

  /** Returns a rejection for which the destination may be to blame. */
  static Outcome suspect(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.SUSPECT);
  }

  /** Returns a rejection for which the message's topic is to blame. */
  static Outcome topicUnavailable(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.TOPIC);
  }

  /** Returns a rejection that no later attempt can turn into success. */
  static Outcome refused(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.FINAL);
  }

  /** Returns that a message was not sent, because an earlier one of its key was rejected. */
  static Outcome behind(@Nullable String reason) {
    return new Rejected(orUnknown(reason), Rejected.Kind.BEHIND);
  }

  /** Returns that the fate of the message is unknown, as its connection was lost. */
  static Outcome unavailable(@Nullable String reason) {
    return new Unavailable(orUnknown(reason), Unavailable.Kind.LOST);
  }

  /** Returns that the destination cannot be reached and the message was certainly not sent. */
  static Outcome unreachable(@Nullable String reason) {
    return new Unavailable(orUnknown(reason), Unavailable.Kind.UNSENT);
  }

  /** Returns that the message was sent and not answered in time. */
  static Outcome unanswered(@Nullable String reason) {
    return new Unavailable(orUnknown(reason), Unavailable.Kind.UNANSWERED);
  }

  // What an exception says may be null, and the moment of a failure is none to fail at.
  private static String orUnknown(@Nullable String reason) {
    return reason == null ? "no reason given" : reason;
  }
}
