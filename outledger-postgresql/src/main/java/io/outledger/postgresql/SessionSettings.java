// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a relay's session, made when it is opened. They belong to the session: behind a
 * pooler that gives each transaction another session they are lost, so the relay needs session
 * pooling or a direct connection.
 *
 * @param values the settings of PostgreSQL, by name
 * @param networkTimeoutMillis after which a silent connection is given up
 */
record SessionSettings(Map<String, String> values, int networkTimeoutMillis) {

  private static final Duration STATEMENT_MIN = Duration.ofSeconds(30);

  /** Returns those of a relay whose lease is that long. */
  static SessionSettings relay(String subscription, Duration lease) {
    Duration statement = lease.multipliedBy(2);
    if (statement.compareTo(STATEMENT_MIN) < 0) {
      statement = STATEMENT_MIN;
    }
    Map<String, String> values = new LinkedHashMap<>();
    values.put("application_name", applicationName(subscription));
    values.put("search_path", "pg_catalog");
    // A save that was acknowledged must survive a crash, or a hole's witness could come twice.
    values.put("synchronous_commit", "on");
    // Rows hidden by a policy would look like holes; with this they are an error.
    values.put("row_security", "off");
    values.put("default_transaction_isolation", "read committed");
    values.put("default_transaction_read_only", "off");
    // The ledger's default is compared with its text.
    values.put("quote_all_identifiers", "off");
    // A frozen owner must not block its successor on the cursor's key for longer than its lease.
    values.put("idle_in_transaction_session_timeout", millis(lease.dividedBy(2)));
    values.put("lock_timeout", millis(lease));
    values.put("statement_timeout", millis(statement));
    // Always the same plan, along the primary key: statistics that are hours old must not choose
    // another, and to compile it made range look-ups 50 times slower.
    values.put("jit", "off");
    values.put("plan_cache_mode", "force_generic_plan");
    values.put("enable_indexscan", "on");
    values.put("enable_indexonlyscan", "on");
    values.put("enable_nestloop", "on");
    values.put("enable_seqscan", "off");
    values.put("enable_bitmapscan", "off");
    values.put("enable_material", "off");
    values.put("max_parallel_workers_per_gather", "0");
    Duration network = statement.plus(PostgresTransactions.NETWORK_MARGIN);
    return new SessionSettings(values, Math.toIntExact(network.toMillis()));
  }

  /** Returns the settings that a server of this major version knows. */
  Map<String, String> on(int version) {
    if (version < PostgresTransactions.TRANSACTION_TIMEOUT_SINCE) {
      return values;
    }
    Map<String, String> all = new LinkedHashMap<>(values);
    // To make a subscription may take as long as a walk through the ledger does.
    all.put("transaction_timeout", "0");
    return all;
  }

  private static String millis(Duration duration) {
    return Math.max(1, duration.toMillis()) + "ms";
  }

  private static String applicationName(String subscription) {
    String name = "outledger relay " + subscription;
    return name.length() <= 60 ? name : name.substring(0, 60);
  }
}
