// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.servers.ChildJvm;
import io.outledger.servers.ChildJvmBuilder;

/** How processes are started that a trial kills again and again. */
public final class ToBeKilled {

  private ToBeKilled() {}

  /** Returns what starts a main class of a trial. */
  public static ChildJvmBuilder of(Class<?> main) {
    return ChildJvm.of(main)
        .option("-XX:TieredStopAtLevel=1") // it is killed before a better compiler pays
        .option("-XX:+UseSerialGC")
        .property("org.slf4j.simpleLogger.defaultLogLevel", "warn");
  }
}
