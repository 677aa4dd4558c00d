// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * Takes messages from any thread and answers them in order on another, the first few with a
 * rejection. A message's number is the length of its payload.
 */
final class AnsweringProducer extends MockProducer<byte[], byte[]> {

  private static final Node NODE = new Node(1, "localhost", 1);

  private final Random chance;
  private final int rejections;
  private final BlockingQueue<Callback> unanswered = new LinkedBlockingQueue<>();

  // All guarded by unanswered.
  private final List<Integer> sent = new ArrayList<>();
  private final List<Integer> besideTheFirst = new ArrayList<>();
  private int onTheirWay;
  private boolean hasOne;

  AnsweringProducer(Random chance, int rejections) {
    this.chance = chance;
    this.rejections = rejections;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint is enough: no order of threads is relied upon
  static void giveWay(Random chance) {
    for (int times = chance.nextInt(20); times > 10; times--) {
      Thread.yield();
    }
  }

  @Override
  public List<PartitionInfo> partitionsFor(String topic) {
    Node[] nodes = {NODE};
    return List.of(new PartitionInfo(topic, 0, NODE, nodes, nodes));
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // a real one lets threads in side by side
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> given, Callback callback) {
    giveWay(chance);
    synchronized (unanswered) {
      int number = given.value().length;
      if (!hasOne && onTheirWay > 0) {
        besideTheFirst.add(number);
      }
      onTheirWay++;
      sent.add(number);
      unanswered.add(callback);
    }
    return new CompletableFuture<>();
  }

  /** Returns the numbers of what was sent, in order. */
  List<Integer> sent() {
    synchronized (unanswered) {
      return List.copyOf(sent);
    }
  }

  /** Returns what was sent while the first message was on its way. */
  List<Integer> sentBesideTheFirst() {
    synchronized (unanswered) {
      return List.copyOf(besideTheFirst);
    }
  }

  /** Answers up to this many messages as they arrive, and returns how many it answered. */
  int answer(int count) throws InterruptedException {
    for (int number = 0; number < count; number++) {
      Callback next = unanswered.take();
      boolean isRejected = number < rejections;
      giveWay(chance);
      synchronized (unanswered) {
        onTheirWay--;
        hasOne |= !isRejected;
      }
      next.onCompletion(null, isRejected ? new RecordTooLargeException("planted") : null);
    }
    return count - rejections;
  }
}
