// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Name;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How a process calls itself in the status table: the name given, or its id and host. */
final class InstanceName {

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final @Nullable String given;
  private final int number;
  private @Nullable String found;

  /**
   * Creates it.
   *
   * @param given the name, or null for process id and host
   * @throws io.outledger.ConfigurationException {@code OUT-006} if it is not valid
   */
  InstanceName(@Nullable String given) {
    this.given = given == null ? null : Name.check("instance", given);
    this.number = NUMBER.incrementAndGet();
  }

  /** Returns the name of a subscription's first relay here, its second, and so on. */
  synchronized String ofRelay(int relay) {
    String name = found;
    if (name == null) {
      name = given == null ? process() : given;
      found = name;
    }
    return relay == 1 ? name : name + " #" + relay;
  }

  /** Returns the name given, or the process id. */
  String withoutHost() {
    return given == null ? "process " + ProcessHandle.current().pid() : given;
  }

  // To look the host's name up may take long, so it is done when it is needed first.
  private String process() {
    String process = ProcessHandle.current().pid() + "@" + host();
    return number == 1 ? process : process + "/" + number;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
