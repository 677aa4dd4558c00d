// SPDX-License-Identifier: Apache-2.0
package io.outledger;

/**
 * The stable codes of everything Outledger refuses or reports. A code never changes its meaning;
 * {@code docs/errors.md} explains each with its remedy.
 */
public enum ErrorCode {
  /** A message was appended on a connection without an open transaction. */
  NO_TRANSACTION("OUT-001"),
  /** The database server is in recovery: a standby, which cannot be written. */
  SERVER_IN_RECOVERY("OUT-002"),
  /** The schema is not there. */
  SCHEMA_MISSING("OUT-003"),
  /** The schema is older than this version of Outledger needs. */
  SCHEMA_OLDER("OUT-004"),
  /** The schema is newer than this version of Outledger knows. */
  SCHEMA_NEWER("OUT-005"),
  /** A configured name is not a valid identifier. */
  INVALID_NAME("OUT-006"),
  /** The ledger's numbers are behind a cursor: emptied, reset, or restored without its cursor. */
  LEDGER_BEHIND_CURSOR("OUT-007"),
  /** The ledger's position column or its sequence is not as the schema made it. */
  LEDGER_ALTERED("OUT-008"),
  /** A logical subscription writes the ledger, which makes the proofs of dead holes invalid. */
  LEDGER_REPLICATED_INTO("OUT-009"),
  /** Row-level security hides rows of the ledger from the relay. */
  ROW_SECURITY("OUT-010"),
  /** An event's class or a message's type is not registered. */
  UNREGISTERED_TYPE("OUT-011"),
  /** The topic needs a key and the message has none. */
  MISSING_KEY("OUT-012"),
  /** The payload is larger than the limit. */
  PAYLOAD_TOO_LARGE("OUT-013"),
  /** A message's field is not valid. */
  INVALID_MESSAGE("OUT-014"),
  /** An event could not be turned into a payload, or a payload not into an event. */
  UNREADABLE_PAYLOAD("OUT-015"),
  /** The database could not be reached, or failed in the middle, as with a full disk. */
  STORE_UNAVAILABLE("OUT-016"),
  /** Too many positions are open, because a transaction blocks them. */
  TOO_MANY_OPEN("OUT-017"),
  /** The inbox forgets sooner than a message may be delivered again. */
  RETENTION_TOO_SHORT("OUT-018"),
  /** A subscription cannot start at or move to a position that retention has removed. */
  POSITION_PURGED("OUT-019"),
  /** Outledger does not support the database. */
  UNSUPPORTED_DATABASE("OUT-020"),
  /** The configuration is not valid; the message lists every problem. */
  INVALID_CONFIGURATION("OUT-021"),
  /** The destination cannot be reached. */
  DESTINATION_UNAVAILABLE("OUT-022"),
  /** The destination or a handler rejected a message. */
  MESSAGE_REJECTED("OUT-023"),
  /** A guard refused a message. */
  GUARD_REFUSED("OUT-024"),
  /** There is no such subscription, route or consumer. */
  UNKNOWN_SUBSCRIPTION("OUT-025"),
  /** The object is closed. */
  CLOSED("OUT-026"),
  /** The database refused a statement; the connection still works. */
  STORE_FAILED("OUT-027"),
  /** A relay has a lease on the subscription. */
  SUBSCRIPTION_RUNNING("OUT-028"),
  /** Work inside a transaction tried to end it, or has ended it. */
  TRANSACTION_NOT_YOURS("OUT-030"),
  /** Domain events would be lost, because a flush can no longer see the entity that raised them. */
  EVENTS_NOT_SAVED("OUT-031"),
  /** Listeners of domain events have raised further events without end. */
  EVENTS_WITHOUT_END("OUT-032"),
  /** A consumer, or what waits for a handler that no instance has, has reached its limit. */
  TOO_MANY_PARKED("OUT-033"),
  /**
   * A broker's client seems unable to hand over a delivery: consumers end there again and again.
   */
  DELIVERY_STUCK("OUT-034"),
  /** Messages are appended to a ledger that no subscription reads. */
  LEDGER_UNREAD("OUT-035"),
  /**
   * A new subscription or consumer does again what another one, which is not of this process, has
   * done.
   */
  SUBSCRIPTION_LEFT("OUT-036"),
  /** A subscription, route or consumer was renamed, and this process has the old name yet. */
  RENAMED("OUT-037"),
  /** The schema of a payload is being fetched; the message is tried again. */
  SCHEMA_PENDING("OUT-038"),
  /** A broker gives up a message after few deliveries, whatever became of them. */
  DELIVERIES_LIMITED("OUT-039"),
  /** What a saga says of itself cannot work. */
  INVALID_SAGA("OUT-040"),
  /** Another message has started or moved the saga at the same time; this one is tried again. */
  SAGA_CHANGED("OUT-041"),
  /** This build cannot read a saga that another one has written; its message waits for that one. */
  SAGA_UNREADABLE("OUT-042"),
  /** Another scheduled message waits under the name. */
  NAME_WAITING("OUT-050"),
  /** The outbox cannot schedule messages. */
  NOT_SCHEDULING("OUT-051"),
  /** A subscription has another number of partitions than a process is configured with. */
  OTHER_PARTITIONS("OUT-060");

  private final String code;

  ErrorCode(String code) {
    this.code = code;
  }

  /** Returns the code as it is shown, such as {@code OUT-001}. */
  public String code() {
    return code;
  }

  /**
   * Returns whether the error says that this build cannot read what a message brings, and another
   * one may. What it says of other messages depends on where it was met, as {@link
   * UnreadablePayloadException} tells.
   */
  public boolean isUnreadable() {
    return this == UNREGISTERED_TYPE || this == UNREADABLE_PAYLOAD;
  }

  /**
   * Returns whether the error says that what a message needs is not here yet: its schema, or the
   * build that can read its saga. The message is kept, and no attempt is counted.
   */
  public boolean isNotYet() {
    return this == SCHEMA_PENDING || this == SAGA_UNREADABLE;
  }

  /**
   * Returns whether the error says that something is not available, such as a database, its tables
   * or a destination. Then no message that was being processed is at fault: no attempt is counted.
   */
  public boolean isOutage() {
    return switch (this) {
      case SERVER_IN_RECOVERY,
          SCHEMA_MISSING,
          SCHEMA_OLDER,
          SCHEMA_NEWER,
          STORE_UNAVAILABLE,
          DESTINATION_UNAVAILABLE,
          RENAMED,
          CLOSED ->
          true;
      default -> false;
    };
  }
}
