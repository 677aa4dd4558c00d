// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.CpuTime;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.SQLException;

/** What all sides share: one database with a ledger, and one broker. */
record ConnectServers(Postgres database, KafkaProcess broker, WaitingLedger ledger) {

  // One message a transaction, as most applications have it: Debezium reads the transactions.
  private static final String FILL =
      """
      DO $$
      DECLARE
        noise bytea := (SELECT string_agg(uuid_send(gen_random_uuid()), '')
                          FROM generate_series(1, 125));
      BEGIN
        FOR i IN 1..%d LOOP
          INSERT INTO outledger_message (time, id, version, topic, message_key, type, payload)
          VALUES (clock_timestamp(), gen_random_uuid(), 1, 'orders', 'order-' || i %% %d,
                  'order.placed', substring(noise FROM (i::bigint * 7919 %% 1800)::int + 1 FOR %d));
          COMMIT;
        END LOOP;
      END $$\
      """;

  /**
   * Processor time of a side, seconds or parts of something.
   *
   * @param own of the side's process
   * @param compiler of that the JVM's compiler
   */
  record Cpu(double own, double compiler, double broker, double database) {

    /** Returns what of the side's process is not the compiler's. */
    double atWork() {
      return own - compiler;
    }

    /** Returns what was taken since, multiplied. */
    Cpu since(Cpu before, double factor) {
      return new Cpu(
          (own - before.own) * factor,
          (compiler - before.compiler) * factor,
          (broker - before.broker) * factor,
          (database - before.database) * factor);
    }
  }

  Cpu cpu(long pid) {
    return new Cpu(
        CpuTime.seconds(pid),
        CpuTime.compilerSeconds(pid),
        CpuTime.seconds(broker.pid()),
        CpuTime.seconds(database.pid()));
  }

  /** Has messages wait in the ledger, and in the log that the server keeps for Debezium. */
  void fill(int messages) throws SQLException {
    DebeziumSide.keepLog(ledger);
    try (Connection connection = ledger.connect()) {
      Sql.run(connection, "SET synchronous_commit = off"); // for the filling alone
      Sql.run(
          connection, FILL.formatted(messages, WaitingLedger.KEYS, WaitingLedger.PAYLOAD_BYTES));
      Sql.run(connection, "VACUUM (ANALYZE) outledger_message");
      Sql.run(connection, "CHECKPOINT");
    }
  }
}
