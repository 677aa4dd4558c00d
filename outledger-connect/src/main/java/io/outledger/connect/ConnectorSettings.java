// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import io.outledger.Name;
import io.outledger.OutledgerException;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.relay.Slots;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/** The connector's own settings, with their documentation, defaults and bounds. */
final class ConnectorSettings {

  static final String LEDGER = "ledger";
  static final String SUBSCRIPTION = "subscription";
  static final String SLOTS = "slots";
  static final String START = "start";
  static final String URL = "database.url";
  static final String USER = "database.user";
  static final String PASSWORD = "database.password";
  static final String SCHEMA = "database.schema";
  static final String LEASE = "lease.ms";
  static final String RETENTION = "message.retention.ms";
  static final String DELIVERY = "delivery";
  static final String TOPIC = "topic";
  static final String SOURCE = "source";
  static final String BATCH = "batch.messages.max";
  static final String RECORD_BYTES = "record.bytes.max";
  static final String HEARTBEATS = "heartbeat.topic";

  /** What begins with this are settings of the client that looks topics up. */
  static final String KAFKA = "kafka.";

  static final String BOOTSTRAP = KAFKA + "bootstrap.servers";
  static final String EXACTLY_ONCE = "exactly-once";
  static final String AT_LEAST_ONCE = "at-least-once";
  static final String EARLIEST = "earliest";
  static final String NOW = "now";

  /** Says in place of an age that the connector removes nothing. */
  static final long NO_RETENTION = -1;

  private static final int SEVEN_DAYS_MS = 7 * 24 * 60 * 60 * 1000;

  private ConnectorSettings() {}

  /** Returns all of them. */
  static ConfigDef definition() {
    ConfigDef settings = new ConfigDef();
    subscription(settings);
    database(settings);
    kafka(settings);
    records(settings);
    return settings;
  }

  private static void subscription(ConfigDef settings) {
    settings
        .define(
            LEDGER,
            ConfigDef.Type.STRING,
            NO_DEFAULT_VALUE,
            valid((name, text) -> Name.check(name, text)),
            HIGH,
            "A name for the database's ledger. It is part of the source offsets' keys: with another"
                + " name, the connector finds no offsets and starts where the cursor's row stands.")
        .define(
            SUBSCRIPTION,
            ConfigDef.Type.STRING,
            NO_DEFAULT_VALUE,
            valid((name, text) -> Name.check(name, text)),
            HIGH,
            "The subscription's name. Only one connector or relay reads a subscription at a time.")
        .define(
            SLOTS,
            ConfigDef.Type.INT,
            1,
            Range.between(1, Slots.MAX),
            MEDIUM,
            "How many slots the subscription's keys are shared among, each with its own offset. At"
                + " most so many tasks read the ledger. The number cannot change later: another one"
                + " needs a new subscription, which begins at start.")
        .define(
            START,
            ConfigDef.Type.STRING,
            EARLIEST,
            ValidString.in(EARLIEST, NOW),
            MEDIUM,
            "Where a subscription that does not exist yet starts: at the earliest message of the"
                + " ledger, or after what is committed now.");
  }

  private static void database(ConfigDef settings) {
    settings
        .define(
            URL,
            ConfigDef.Type.STRING,
            NO_DEFAULT_VALUE,
            new ConfigDef.NonEmptyString(),
            HIGH,
            "The JDBC URL of the ledger's database, without user and password.")
        .define(USER, ConfigDef.Type.STRING, null, HIGH, "The database user.")
        .define(PASSWORD, ConfigDef.Type.PASSWORD, null, HIGH, "The database user's password.")
        .define(
            SCHEMA,
            ConfigDef.Type.STRING,
            null,
            MEDIUM,
            "The schema that holds the tables. By default the one in which a connection finds"
                + " them.")
        .define(
            LEASE,
            ConfigDef.Type.INT,
            10_000,
            Range.between(500, 86_400_000),
            LOW,
            "How long a task that was killed keeps its slots, in milliseconds.")
        .define(
            RETENTION,
            ConfigDef.Type.LONG,
            (long) SEVEN_DAYS_MS,
            Range.atLeast(NO_RETENTION),
            LOW,
            "The age in milliseconds at which messages that every subscription has settled are"
                + " removed from the ledger; -1 leaves retention to others.");
  }

  private static void kafka(ConfigDef settings) {
    settings
        .define(
            DELIVERY,
            ConfigDef.Type.STRING,
            EXACTLY_ONCE,
            ValidString.in(EXACTLY_ONCE, AT_LEAST_ONCE),
            HIGH,
            "exactly-once needs exactly.once.source.support=enabled at the workers and"
                + " exactly.once.support=required here; at-least-once needs neither, and after a"
                + " crash sends messages again.")
        .define(
            TOPIC,
            ConfigDef.Type.STRING,
            TopicName.OF_MESSAGE,
            valid((name, text) -> new TopicName(text)),
            MEDIUM,
            "The topic of Kafka: a text in which {topic} stands for the message's topic and"
                + " {type} for its type, such as shop.{topic}, or a fixed one.")
        .define(
            SOURCE,
            ConfigDef.Type.STRING,
            CloudEvents.SOURCE_DEFAULT,
            valid((name, text) -> CloudEvents.checkedSource(text)),
            MEDIUM,
            "The CloudEvents source of all messages, a URI reference.");
  }

  private static void records(ConfigDef settings) {
    settings
        .define(
            BATCH,
            ConfigDef.Type.INT,
            5_000,
            Range.between(1, 100_000),
            LOW,
            "The most messages in one transaction.")
        .define(
            RECORD_BYTES,
            ConfigDef.Type.INT,
            1_000_000,
            Range.between(1_000, 1 << 30),
            MEDIUM,
            "The most bytes of a record. A larger message is parked in the database, not sent. Keep"
                + " it below the producer's max.request.size and the topics' max.message.bytes.")
        .define(
            HEARTBEATS,
            ConfigDef.Type.STRING,
            "outledger-heartbeats",
            valid((name, text) -> TopicName.checked(text)),
            MEDIUM,
            "The topic of heartbeats, without which source offsets would stay behind while there is"
                + " no message. It must exist.")
        .define(
            BOOTSTRAP,
            ConfigDef.Type.STRING,
            null,
            new ConfigDef.NonEmptyString(),
            HIGH,
            "Kafka's servers, for looking topics up. Other settings of that client begin with"
                + " kafka., too. May be left out at least once, where no Kafka is written to.");
  }

  private interface Check {
    @SuppressWarnings("UnusedReturnValue")
    Object of(String name, String text);
  }

  private static ConfigDef.Validator valid(Check check) {
    return (name, value) -> {
      if (value == null) {
        return; // that it is missing is told by itself
      }
      try {
        check.of(name, value.toString());
      } catch (OutledgerException e) {
        throw new ConfigException(name, value, e.getMessage());
      }
    };
  }
}
