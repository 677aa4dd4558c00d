// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.run.BadOptionException;
import io.outledger.chaos.run.CommandWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for on the command line.
 *
 * @param db the database's name, one of {@link DemoDatabases}
 * @param broker the broker's name, one of {@link DemoBrokers}
 * @param orders how many orders the customers place
 * @param kills how many processes are killed
 * @param seed decides who is killed when, and what is ordered
 * @param connect whether two workers of Kafka Connect publish the orders, and not two relays
 * @param keep whether everything stays up afterwards
 * @param json where the result is written as JSON; null for nowhere
 */
record DemoOptions(
    String db,
    String broker,
    int orders,
    int kills,
    long seed,
    boolean connect,
    boolean keep,
    @Nullable Path json) {

  static final String USAGE =
      """
      Usage: ./outledger demo [options]

      Starts a database, a broker, an order service, two relays and an inventory service, places
      orders over HTTP, kills these processes with kill -9 while they work, and then counts again
      in the databases and in the broker. Takes about a minute. With sqlite and h2 the services are
      one process, which is killed with the databases that it has open.

        --db D       DATABASES;
                     default postgresql. mariadb and mysql need Debian's package mariadb-server
        --broker B   BROKERS;
                     default kafka
        --orders N   how many orders are placed, 1 to 1000000, and at least 5 for each kill;
                     default 2000
        --kills N    how many processes are killed, 0 to 1000; default 8
        --seed S     a whole number that decides who is killed when and what is ordered;
                     default: a new one each time
        --connect    the orders are published by Kafka Connect, exactly once: two workers run the
                     connector in place of two relays; with postgresql and kafka
        --keep       everything stays up afterwards, so that you can count for yourself and run
                     a first program of your own: its database and topic are made
        --json FILE  the result is also written to a file
        --help       this text

      Exit code: 0 if every promise held, 1 if not, 2 if the options are wrong.
      """
          .replace("DATABASES", DemoDatabases.names())
          .replace("BROKERS", DemoBrokers.names());

  private static final int ORDERS_MAX = 1_000_000;
  private static final int KILLS_MAX = 1_000;
  private static final int ORDERS_A_KILL = 5;

  /** Returns the options that decide what happens, as they are written on a command line. */
  String line() {
    return "--db %s --broker %s --orders %d --kills %d --seed %d%s"
        .formatted(db, broker, orders, kills, seed, connect ? " --connect" : "");
  }

  /**
   * Reads a command line.
   *
   * @param args the words after {@code demo}
   * @param newSeed the seed where none is given
   */
  static DemoOptions parse(List<String> args, long newSeed) throws BadOptionException {
    String db = DemoDatabases.DEFAULT;
    String broker = DemoBrokers.DEFAULT;
    int orders = 2_000;
    int kills = 8;
    long seed = newSeed;
    boolean connect = false;
    boolean keep = false;
    Path json = null;
    CommandWords words = new CommandWords(split(args));
    while (!words.isEmpty()) {
      String option = words.option();
      switch (option) {
        case "--db" -> db = db(words.value(option));
        case "--broker" -> broker = broker(words.value(option));
        case "--orders" -> orders = (int) words.number(option, 1, ORDERS_MAX);
        case "--kills" -> kills = (int) words.number(option, 0, KILLS_MAX);
        case "--seed" -> seed = words.number(option, Long.MIN_VALUE, Long.MAX_VALUE);
        case "--connect" -> connect = true;
        case "--keep" -> keep = true;
        case "--json" -> json = words.file(option);
        default -> throw new BadOptionException("there is no option " + option);
      }
    }
    if (orders < kills * ORDERS_A_KILL) {
      throw new BadOptionException(
          "--orders %d are too few for --kills %d: each kill needs %d orders to interrupt"
              .formatted(orders, kills, ORDERS_A_KILL));
    }
    if (connect && !(db.equals("postgresql") && broker.equals("kafka"))) {
      throw new BadOptionException(
          "--connect is shown with --db postgresql and --broker kafka alone");
    }
    return new DemoOptions(db, broker, orders, kills, seed, connect, keep, json);
  }

  private static String db(String name) throws BadOptionException {
    if (!DemoDatabases.has(name)) {
      throw new BadOptionException(
          "--db %s is unknown; it can be %s".formatted(name, DemoDatabases.names()));
    }
    return name;
  }

  private static String broker(String name) throws BadOptionException {
    if (!DemoBrokers.has(name)) {
      throw new BadOptionException(
          "--broker %s is unknown; it can be %s".formatted(name, DemoBrokers.names()));
    }
    return name;
  }

  /**
   * Takes {@code --orders=5} for {@code --orders 5}; {@code --connect} and {@code --keep} have no
   * value.
   */
  private static List<String> split(List<String> args) {
    List<String> words = new ArrayList<>();
    for (String arg : args) {
      boolean isAlone = arg.startsWith("--keep") || arg.startsWith("--connect");
      int equals = arg.startsWith("--") && !isAlone ? arg.indexOf('=') : -1;
      if (equals < 0) {
        words.add(arg);
      } else {
        words.add(arg.substring(0, equals));
        words.add(arg.substring(equals + 1));
      }
    }
    return words;
  }
}
