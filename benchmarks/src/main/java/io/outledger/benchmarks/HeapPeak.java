// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;

/** Watches how much of the heap is in use after each garbage collection, until it is closed. */
final class HeapPeak implements AutoCloseable {

  private static final double MIB = 1 << 20;

  private final NotificationListener listener = (notification, handback) -> look();
  private final List<NotificationEmitter> collectors = new ArrayList<>();
  private long peak;

  private HeapPeak() {}

  static HeapPeak watch() {
    HeapPeak watching = new HeapPeak();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(watching.listener, null, null);
        watching.collectors.add(emitter);
      }
    }
    return watching;
  }

  /** Returns the most MiB that were in use after a collection. */
  synchronized double mib() {
    look();
    return peak / MIB;
  }

  /** Returns the most MiB that the heap may take. */
  static double limitMib() {
    return Runtime.getRuntime().maxMemory() / MIB;
  }

  private synchronized void look() {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage afterCollection = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && afterCollection != null) {
        used += afterCollection.getUsed();
      }
    }
    peak = Math.max(peak, used);
  }

  @Override
  public void close() {
    for (NotificationEmitter collector : collectors) {
      try {
        collector.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
