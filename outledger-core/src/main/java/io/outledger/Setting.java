// SPDX-License-Identifier: Apache-2.0
package io.outledger;

/**
 * A setting that the text of an error or a log line asks for. Whoever reads it has set it by a
 * builder's method or by a property or an annotation of the Spring Boot starters, so the text names
 * both.
 */
public enum Setting {
  /** A class whose events are messages. */
  EVENT_TYPE(
      "events(e -> e.register(…))", "@OutboxEvent on the class, in a package that is scanned"),
  /** The largest payload. */
  PAYLOAD_MAX("payloadBytesMax(…)", "outledger.payload-max"),
  /** The database schema of the tables. */
  SCHEMA("schema(…)", "outledger.schema"),
  /** Whether this process removes what is old. */
  RETENTION("withoutRetention()", "outledger.retention.enabled=false"),
  /** How long an inbox remembers a message. */
  INBOX_RETENTION("inboxRetention(…)", "outledger.retention.inbox");

  private final String method;
  private final String property;

  Setting(String method, String property) {
    this.method = method;
    this.property = property;
  }

  /** Returns the method of {@code Outledger.builder(…)}, as it is called. */
  public String method() {
    return method;
  }

  /** Returns the property, with its value where only one is meant, or the annotation. */
  public String property() {
    return property;
  }

  /** Returns both, for people: {@code schema(…), or in Spring outledger.schema}. */
  @Override
  public String toString() {
    return method + ", or in Spring " + property;
  }
}
