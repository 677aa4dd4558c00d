// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.KillableServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The broker of a run: a server in a process of its own, and what lies in it. */
interface DemoBroker extends AutoCloseable {

  /** Returns its name for people. */
  String title();

  /** Returns what was made in it for the shop, in a few words. */
  String details();

  /** Returns the settings by which services find it. */
  Map<String, String> settings();

  /**
   * Returns the server to kill; empty where what it has acknowledged does not survive a kill:
   * losing what it said it had would be its own fault.
   */
  Optional<KillableServer> killable();

  /**
   * Returns how many orders the inventory service has yet to acknowledge; 0 while the server is
   * down, empty if it never tells.
   */
  OptionalLong unreceived();

  /**
   * Reads all that ever arrived in a topic, by a consumer that has nothing to do with the services.
   */
  List<Arrival> read(String topic);

  /** Returns where Kafka's clients connect; empty where it is another broker. */
  default Optional<String> kafka() {
    return Optional.empty();
  }

  /** Returns how people can read a topic, as a line for a terminal. */
  List<String> commands();

  /** Ends the server and deletes its data. */
  @Override
  void close();

  /**
   * A message in the broker.
   *
   * @param partition what keeps an order in the broker
   * @param offset its place in that order
   * @param id the message's id
   * @param key its key
   * @param payload its bytes
   */
  record Arrival(
      String partition,
      long offset,
      UUID id,
      String key,
      @SuppressWarnings("ArrayRecordComponent") byte[] payload) {}
}
