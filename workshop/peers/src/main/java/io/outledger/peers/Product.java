// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** What people use, whatever its settings: those of one kind drain copies of one backlog. */
enum Product {
  NOBODY("no outbox", true, Waiting.COPIED),
  OUTLEDGER("Outledger", true, Waiting.KEPT),
  TUTORIAL("hand-written relay", true, Waiting.COPIED),
  GRUELBOX("gruelbox transaction-outbox 4.2.268", false, Waiting.COPIED),
  NAMASTACK("namastack-outbox 1.6.0", true, Waiting.COPIED),
  MODULITH("Spring Modulith 2.1.1", false, Waiting.COPIED),
  DB_SCHEDULER("db-scheduler 16.12.0", false, Waiting.COPIED),
  DEBEZIUM("Debezium's engine 3.6.1", true, Waiting.WRITTEN_EACH_TIME);

  private final String title;
  private final boolean keepsOrder;
  private final Waiting backlog;

  /** What becomes of a backlog. */
  enum Waiting {
    /** It is still there when it has been published. */
    KEPT,
    /** It is used up, so each turn has a copy. */
    COPIED,
    /** It is in the server's log too, which cannot be copied. */
    WRITTEN_EACH_TIME
  }

  Product(String title, boolean keepsOrder, Waiting backlog) {
    this.title = title;
    this.keepsOrder = keepsOrder;
    this.backlog = backlog;
  }

  String title() {
    return title;
  }

  /** Whether it promises to publish the messages of a key in their order. */
  boolean keepsOrder() {
    return keepsOrder;
  }

  Waiting backlog() {
    return backlog;
  }
}
