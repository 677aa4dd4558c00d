// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** What people use, whatever its settings: those of one kind drain copies of one backlog. */
enum Peer {
  NOBODY("no outbox", true, Start.TOLD, Waiting.COPIED),
  OUTLEDGER("Outledger", true, Start.TOLD, Waiting.KEPT),
  TUTORIAL("hand-written relay", true, Start.TOLD, Waiting.COPIED),
  GRUELBOX("gruelbox transaction-outbox 4.2.268", false, Start.FIRST_MESSAGE, Waiting.COPIED),
  NAMASTACK("namastack-outbox 1.6.0", true, Start.FIRST_MESSAGE, Waiting.COPIED),
  MODULITH("Spring Modulith 2.1.1", false, Start.FIRST_MESSAGE, Waiting.COPIED),
  DB_SCHEDULER("db-scheduler 16.12.0", false, Start.FIRST_MESSAGE, Waiting.COPIED),
  DEBEZIUM("Debezium's engine 3.6.1", true, Start.FIRST_MESSAGE, Waiting.WRITTEN_EACH_TIME);

  private final String title;
  private final boolean keepsOrder;
  private final Start start;
  private final Waiting backlog;

  /** When its clock begins. */
  enum Start {
    /** When it is told to begin: all that it does before its first message is its own. */
    TOLD,
    /** When it publishes its first message: its frameworks may take their time to begin. */
    FIRST_MESSAGE
  }

  /** What becomes of a backlog. */
  enum Waiting {
    /** It is still there when it has been published. */
    KEPT,
    /** It is used up, so each turn has a copy. */
    COPIED,
    /** It is in the server's log too, which cannot be copied. */
    WRITTEN_EACH_TIME
  }

  Peer(String title, boolean keepsOrder, Start start, Waiting backlog) {
    this.title = title;
    this.keepsOrder = keepsOrder;
    this.start = start;
    this.backlog = backlog;
  }

  String title() {
    return title;
  }

  /** Whether it promises to publish the messages of a key in their order. */
  boolean keepsOrder() {
    return keepsOrder;
  }

  Start start() {
    return start;
  }

  Waiting backlog() {
    return backlog;
  }
}
